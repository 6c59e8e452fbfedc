package import Essentials

/// A request to a server that someone else runs.
package struct CallRequest: Sendable {
    package var method: String
    /// The absolute URL; its path and query are sent unchanged, because they may be part of a signature.
    package var address: String
    /// By lower-case names; values may be secret, and are never logged.
    package var headers: [String: String]
    /// nil for none; an empty body is sent with its length.
    package var body: [UInt8]?
    /// A body that is read while it is sent; replaces `body`.
    package var flowingBody: FlowingBody?
    /// The most bytes of the response's body.
    package var longestAnswer: Int
    /// Seconds within which the whole response must have arrived.
    package var seconds: Int

    package init(
        method: String,
        address: String,
        headers: [String: String] = [:],
        body: [UInt8]? = nil,
        flowingBody: FlowingBody? = nil,
        longestAnswer: Int,
        seconds: Int,
    ) {
        self.method = method
        self.address = address
        self.headers = headers
        self.body = body
        self.flowingBody = flowingBody
        self.longestAnswer = longestAnswer
        self.seconds = seconds
    }
}

/// A body of any size, of which only one piece at a time is in memory.
package struct FlowingBody: Sendable {
    /// The most bytes of a piece.
    static let piece = 256 << 10

    package let count: Int
    let read: @Sendable (_ range: Range<Int>) throws -> [UInt8]

    /// - Parameters:
    ///   - count: the length in bytes.
    ///   - read: reads a range of at most 256 KiB; may block on a disk. If it throws, the request ends
    ///     with ``CallTrouble/interrupted``.
    package init(count: Int, read: @escaping @Sendable (_ range: Range<Int>) throws -> [UInt8]) {
        self.count = count
        self.read = read
    }
}

/// A server's response.
package struct CallAnswer: Sendable {
    package let status: Int
    /// By lower-case names; the first field of each name.
    package let headers: [String: String]
    package let body: [UInt8]

    package init(status: Int, headers: [String: String], body: [UInt8]) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// The value of `Date`: when it was sent, by the server's clock.
    package var date: Date? { headers["date"].flatMap(WebDate.date) }

    /// Returns when the request may be repeated by `Retry-After`, in seconds or as a date (RFC 9110
    /// section 10.2.3).
    ///
    /// - Parameters:
    ///   - now: the time from which seconds count.
    ///   - longest: the most seconds after `now`; later times are moved to that one.
    /// - Returns: a time not before `now`; nil if the field is missing or invalid.
    package func retryDate(at now: Date, within longest: TimeInterval) -> Date? {
        guard let header = headers["retry-after"] else { return nil }
        let last = now.addingTimeInterval(longest)
        if let seconds = Int(header), seconds >= 0 {
            return min(now.addingTimeInterval(TimeInterval(seconds)), last)
        }
        return WebDate.date(from: header).map { min(max($0, now), last) }
    }
}

/// Sends a request to a server and returns the response.
package protocol CallTransport: Sendable {
    /// - Throws: ``CallTrouble`` if there is no response.
    func answer(to request: CallRequest) async throws(CallTrouble) -> CallAnswer
}

/// Sends a request to a server and returns the response, blocking the calling thread meanwhile.
package protocol BlockingCallTransport: Sendable {
    /// - Throws: ``CallTrouble`` if there is no response.
    func waitForAnswer(to request: CallRequest) throws(CallTrouble) -> CallAnswer
}
