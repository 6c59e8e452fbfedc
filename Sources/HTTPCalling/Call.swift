package import Essentials

/// One request on its way to a server that someone else runs.
package struct CallRequest: Sendable {
    package var method: String
    /// Absolute; its path and query are sent as they are, since they may have been signed.
    package var address: String
    /// By lower-case names; they may hold secrets, and reach no log.
    package var headers: [String: String]
    /// nil where there is none; an empty one is sent with its length.
    package var body: [UInt8]?
    /// A body in place of that one, which is read while it is sent.
    package var flowingBody: FlowingBody?
    /// The most bytes that the body of the answer may have.
    package var longestAnswer: Int
    /// Seconds within which the whole answer must have come.
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

/// A body of any size, of which one piece at a time is in memory.
package struct FlowingBody: Sendable {
    /// Bytes of a piece.
    static let piece = 256 << 10

    package let count: Int
    let read: @Sendable (_ range: Range<Int>) throws -> [UInt8]

    /// - Parameters:
    ///   - count: bytes.
    ///   - read: reads some of them, at most 256 KiB; may wait for a disk. What it throws ends the request with
    ///     ``CallTrouble/interrupted``.
    package init(count: Int, read: @escaping @Sendable (_ range: Range<Int>) throws -> [UInt8]) {
        self.count = count
        self.read = read
    }
}

/// What a server answered.
package struct CallAnswer: Sendable {
    package let status: Int
    /// By lower-case names; of several of one name the first.
    package let headers: [String: String]
    package let body: [UInt8]

    package init(status: Int, headers: [String: String], body: [UInt8]) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// When it was sent, by the server's clock.
    package var date: Date? { headers["date"].flatMap(WebDate.date) }

    /// When the server wants to be asked again, as seconds or as a date (RFC 9110 section 10.2.3).
    ///
    /// - Parameters:
    ///   - now: what seconds count from.
    ///   - longest: the most seconds ahead; what is later counts as that late.
    /// - Returns: not before `now`; nil for an answer that does not say it.
    package func retryDate(at now: Date, within longest: TimeInterval) -> Date? {
        guard let header = headers["retry-after"] else { return nil }
        let last = now.addingTimeInterval(longest)
        if let seconds = Int(header), seconds >= 0 {
            return min(now.addingTimeInterval(TimeInterval(seconds)), last)
        }
        return WebDate.date(from: header).map { min(max($0, now), last) }
    }
}

/// Brings a request to a server and its answer back.
package protocol CallTransport: Sendable {
    /// - Throws: ``CallTrouble`` where there is no answer.
    func answer(to request: CallRequest) async throws(CallTrouble) -> CallAnswer
}

/// Brings a request to a server and its answer back, and blocks the calling thread meanwhile.
package protocol BlockingCallTransport: Sendable {
    /// - Throws: ``CallTrouble`` where there is no answer.
    func waitForAnswer(to request: CallRequest) throws(CallTrouble) -> CallAnswer
}
