import Foundation

/// How often a client retries an upload, and how long it waits in between.
package struct UploadPatience: Sendable {
    /// Seconds before the second try; twice as many before each further one.
    package var first = 0.5
    /// Seconds of the longest wait.
    package var longest = 20.0
    /// Seconds that a server may ask for; who asks for more is not waited for.
    package var longestAsked = 300.0
    /// Tries without a single further byte.
    package var tries = 12

    package init() {}

    /// Seconds to wait after `failures` in a row; nil when that is enough.
    ///
    /// - Parameters:
    ///   - failures: how often it went wrong since the last further byte.
    ///   - chance: from 0 to 1, keeps many publishers from coming back at once.
    ///   - asked: the seconds that the server asks for, and gets.
    /// - Returns: the seconds.
    package func wait(after failures: Int, chance: Double, asked: Double? = nil) -> Double? {
        guard failures < tries else { return nil }
        let doubled = first * pow(2, Double(min(failures, 30) - 1))
        let usual = min(longest, doubled) * (0.5 + chance / 2)
        guard let asked else { return usual }
        return asked <= longestAsked ? max(usual, asked + chance) : nil
    }
}
