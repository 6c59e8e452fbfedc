package import Essentials

/// The clock, delays and random numbers of a client that retries requests.
package struct CallTiming: Sendable {
    package let now: @Sendable () -> Date
    /// Waits for this many seconds.
    package let sleep: @Sendable (TimeInterval) async throws -> Void
    /// Returns a number of at least 0 and below 1.
    package let random: @Sendable () -> Double

    package init(
        now: @escaping @Sendable () -> Date,
        sleep: @escaping @Sendable (TimeInterval) async throws -> Void,
        random: @escaping @Sendable () -> Double,
    ) {
        self.now = now
        self.sleep = sleep
        self.random = random
    }

    /// Returns real delays and random numbers, with a given clock.
    package static func real(_ clock: @escaping @Sendable () -> Date) -> CallTiming {
        CallTiming(
            now: clock,
            sleep: { try await Task.sleep(for: .seconds($0)) },
            random: { .random(in: 0..<1) },
        )
    }
}
