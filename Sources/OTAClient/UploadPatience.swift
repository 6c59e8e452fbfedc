import Foundation

/// How often a client retries an upload, and how long it waits in between.
package struct UploadPatience: Sendable {
    /// Seconds before the second attempt; doubled before each further one.
    package var first = 0.5
    /// The longest wait in seconds.
    package var longest = 20.0
    /// The longest wait in seconds that a server may ask for; if it asks for more, the client gives up.
    package var longestAsked = 300.0
    /// The number of attempts without progress.
    package var tries = 12

    package init() {}

    /// Returns the seconds to wait after `failures` in a row; nil to give up.
    ///
    /// - Parameters:
    ///   - failures: the number of failures since the last progress.
    ///   - chance: a random number from 0 to 1, which keeps many publishers from retrying at the same time.
    ///   - asked: the seconds that the server asks for; the wait is at least as long.
    /// - Returns: the seconds.
    package func wait(after failures: Int, chance: Double, asked: Double? = nil) -> Double? {
        guard failures < tries else { return nil }
        let doubled = first * pow(2, Double(min(failures, 30) - 1))
        let usual = min(longest, doubled) * (0.5 + chance / 2)
        guard let asked else { return usual }
        return asked <= longestAsked ? max(usual, asked + chance) : nil
    }
}
