package import Essentials

/// One request on its way to a store, and one answer to it, whatever carries them.
package struct S3Exchange: Sendable {
    package struct Outgoing: Sendable {
        package let method: String
        /// Absolute; the path and the query are encoded as they were signed.
        package let address: String
        /// Among them `host` and the signature; they must reach no log.
        package let headers: [String: String]
        package let body: [UInt8]
        /// The most bytes that the body of the answer may have.
        package let longestAnswer: Int
        /// Seconds within which the whole answer must have come.
        package let seconds: Int
    }

    package struct Answer: Sendable {
        package let status: Int
        /// By lower-case names; of several of one name the first.
        package let headers: [String: String]
        package let body: [UInt8]

        package init(status: Int, headers: [String: String], body: [UInt8]) {
            self.status = status
            self.headers = headers
            self.body = body
        }
    }
}

/// Carries a request to a store and its answer back; blocks meanwhile.
package protocol S3Transport: Sendable {
    /// - Throws: ``S3Failure``: unreachable, too slow, not trusted, interrupted or too large.
    func send(_ request: S3Exchange.Outgoing) throws(S3Failure) -> S3Exchange.Answer
}

/// Time and chance, as the calls need them.
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
