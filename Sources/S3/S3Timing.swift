package import Essentials

/// The clock, the waits and the random numbers of a client that blocks while it waits.
package struct S3Timing: Sendable {
    package let now: @Sendable () -> Date
    /// Blocks for so many seconds.
    package let pause: @Sendable (TimeInterval) -> Void
    /// At least 0 and below 1.
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

    /// Real waits and real chance, by a clock.
    package static func real(_ clock: @escaping @Sendable () -> Date) -> S3Timing {
        S3Timing(
            now: clock,
            pause: { seconds in _ = usleep(UInt32(clamping: Int(seconds * 1_000_000))) },
            random: { .random(in: 0..<1) },
        )
    }
}
