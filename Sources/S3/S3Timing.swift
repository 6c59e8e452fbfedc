package import Essentials

/// The clock, pauses and random numbers of a blocking client.
package struct S3Timing: Sendable {
    package let now: @Sendable () -> Date
    /// Blocks for this number of seconds.
    package let pause: @Sendable (TimeInterval) -> Void
    /// Returns a number that is at least 0 and below 1.
    package let random: @Sendable () -> Double

    package init(
        now: @escaping @Sendable () -> Date,
        pause: @escaping @Sendable (TimeInterval) -> Void,
        random: @escaping @Sendable () -> Double,
    ) {
        self.now = now
        self.pause = pause
        self.random = random
    }

    /// Real pauses and random numbers, with the given clock.
    package static func real(_ clock: @escaping @Sendable () -> Date) -> S3Timing {
        S3Timing(
            now: clock,
            pause: { seconds in _ = usleep(UInt32(clamping: Int(seconds * 1_000_000))) },
            random: { .random(in: 0..<1) },
        )
    }
}
