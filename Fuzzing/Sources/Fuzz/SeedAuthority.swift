import Cryptography
import Foundation
import Sample

/// The sample authority at a fixed date, which signs the seeds.
struct SeedAuthority {
    let sample: SigningAuthority

    static let date = Date(timeIntervalSince1970: 1_767_225_600)

    init() throws {
        sample = try SigningAuthority(keys: .p256, validFrom: Self.date)
    }
}
