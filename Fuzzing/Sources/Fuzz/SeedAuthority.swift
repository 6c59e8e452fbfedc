import Cryptography
import Foundation
import Sample

/// Signs seeds: the sample authority, at a date that stays.
struct SeedAuthority {
    let sample: SigningAuthority

    static let date = Date(timeIntervalSince1970: 1_767_225_600)

    init() throws {
        sample = try SigningAuthority(keys: .p256, validFrom: Self.date)
    }
}
