package import Essentials

/// One request on its way, and one answer to it, whatever carries them.
package struct APIExchange: Sendable {
    package struct Outgoing: Sendable {
        /// `GET`, `POST`, `PATCH` or `DELETE`.
        package let method: String
        /// Absolute.
        package let address: String
        /// What `Authorization` says; it must reach no log.
        package let authorization: String
        /// JSON.
        package let body: [UInt8]?
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

/// Brings a request to Apple and its answer back.
package protocol APITransport: Sendable {
    /// - Throws: ``AppleFailure``: unreachable, too slow, not trusted, or an answer that is too large.
    func send(_ request: APIExchange.Outgoing) async throws(AppleFailure) -> APIExchange.Answer
}

/// Time and chance, as the calls need them.
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
}
