import Foundation

/// The time at which everything is signed.
enum Moment {
    static let signing = Date(timeIntervalSince1970: 1_767_225_600)  // 2026-01-01T00:00:00Z
}
