import Foundation

/// A fault on demand, for the next requests that match it.
struct Trap: Codable, Sendable {
    enum Kind: String, Codable, Sendable {
        /// Status 429, with ``retryAfter`` if set.
        case rateLimited
        /// ``status`` with a page that is not JSON, as load balancers send it.
        case status
        /// The connection is closed before the request is performed.
        case cut
        /// The request is performed, and the connection closed without a response.
        case cutAfter
        /// The request is performed, and the response sent after ``seconds``.
        case slow
        /// A read that does not include the last change.
        case stale
        case unauthorised, agreement, role
        /// Status 200 with half of a document.
        case garbage
        /// Status 200 with a huge body.
        case huge
        /// A link to a next page on another server.
        case foreignLink
        /// A link to a next page that is the same page.
        case circularLink
        /// A refusal with ``status``, ``code``, ``detail`` and ``pointer``.
        case refusal
        /// ``process`` is killed at ``moment`` of a request that changes something.
        case kill
    }

    /// When a process is killed.
    enum Moment: String, Codable, CaseIterable, Sendable {
        /// When its request has arrived, before it is performed.
        case arrival
        /// When its request has been performed, without a response.
        case unanswered
        /// When the response has been sent.
        case answered
    }

    let kind: Kind
    /// The method of matching requests; nil for any.
    var method: String?
    /// The beginning of matching paths; nil for any.
    var path: String?
    /// How many matching requests pass before it.
    var skip: Int?
    /// How many requests it affects; 1 if nil.
    var count: Int?
    var retryAfter: Int?
    var status: Int?
    var seconds: Double?
    var code: String?
    var detail: String?
    var pointer: String?
    var process: Int32?
    /// ``Moment/arrival`` if nil.
    var moment: Moment?

    func isAbout(_ request: ReceivedRequest) -> Bool {
        (method ?? request.method) == request.method
            && request.path.hasPrefix(path ?? request.path)
            && (kind != .stale || request.method == "GET")
            && (kind != .kill || request.method != "GET")
    }
}

extension [Trap] {
    /// Returns the trap for a request, and counts it as used.
    mutating func spring(at request: ReceivedRequest) -> Trap? {
        for index in indices where self[index].isAbout(request) {
            if let skip = self[index].skip, skip > 0 {
                self[index].skip = skip - 1
                continue
            }
            let trap = self[index]
            let left = (trap.count ?? 1) - 1
            if left > 0 { self[index].count = left } else { remove(at: index) }
            return trap
        }
        return nil
    }
}

extension Trap {
    /// The response that replaces the request's execution; nil for a trap that lets it be performed.
    var answer: AppleAnswer? {
        switch kind {
        case .rateLimited:
            var answer = AppleAnswer.refusal(
                429,
                "RATE_LIMIT_EXCEEDED",
                "The request rate limit has been reached.",
                title: "The request rate limit has been reached.",
            )
            if let retryAfter { answer.headers = [("Retry-After", "\(retryAfter)")] }
            return answer
        case .status:
            return AppleAnswer(
                status: status ?? 500,
                body: Array("<html>failure</html>".utf8),
            )
        case .cut: return AppleAnswer(status: 0, isCut: true)
        case .kill where (moment ?? .arrival) == .arrival:
            return AppleAnswer(status: 0, isCut: true)
        case .unauthorised: return .unauthorised
        case .agreement: return .agreementMissing
        case .role: return .roleMissing
        case .garbage: return AppleAnswer(status: 200, body: Array(#"{"data":[{"type":"#.utf8))
        case .huge:
            return AppleAnswer(status: 200, body: Array(repeating: 0x20, count: 70 * 1024))
        case .refusal:
            return .refusal(status ?? 409, code ?? "ENTITY_ERROR", detail ?? "", pointer: pointer)
        case .cutAfter, .slow, .stale, .foreignLink, .circularLink, .kill: return nil
        }
    }
}
