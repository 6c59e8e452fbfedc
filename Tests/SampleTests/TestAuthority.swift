import Foundation
import Sample

/// What the tests here sign with, and when.
enum Signed {
    static let date = Date(timeIntervalSince1970: 1_767_225_600)  // 2026-01-01
    static let authority = Result { try SigningAuthority(validFrom: date) }
}
