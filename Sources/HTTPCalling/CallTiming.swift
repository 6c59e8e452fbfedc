package import Essentials

/// The clock, the waits and the random numbers of a client that repeats its requests.
package struct CallTiming: Sendable {
    package let now: @Sendable () -> Date
    /// Waits so many seconds.
    package let sleep: @Sendable (TimeInterval) async throws -> Void
    /// At least 0 and below 1.
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

    /// Real waits and real chance, by a clock.
    package static func real(_ clock: @escaping @Sendable () -> Date) -> CallTiming {
        CallTiming(
            now: clock,
            sleep: { try await Task.sleep(for: .seconds($0)) },
            random: { .random(in: 0..<1) },
        )
    }
}
