import Foundation

/// Something that goes wrong on demand, for the next requests that it is about.
struct Trap: Codable, Sendable {
    enum Kind: String, Codable, Sendable {
        /// 429, with ``retryAfter`` where it is given.
        case rateLimited
        /// ``status`` with a page that is no JSON, as balancers send it.
        case status
        /// The connection is closed before anything is done.
        case cut
        /// It is done, and the connection is closed without an answer.
        case cutAfter
        /// It is done, and answered after ``seconds``.
        case slow
        /// A read that does not know the last change yet.
        case stale
        case unauthorised, agreement, role
        /// 200 with half of a document.
        case garbage
        /// 200 with more than anybody wants to read.
        case huge
        /// A next page at another server.
        case foreignLink
        /// A next page that is this one.
        case circularLink
        /// A refusal of ``status``, ``code``, ``detail`` and ``pointer``.
        case refusal
        /// ``process`` is killed at ``moment`` of a request that changes something.
        case kill
    }

    /// When a process is killed.
    enum Moment: String, Codable, CaseIterable, Sendable {
        /// Its request is here, and nothing is done.
        case arrival
        /// What it asked for is done, and it never hears of that.
        case unanswered
        /// The answer is on its way.
        case answered
    }

    let kind: Kind
    /// Nil for any.
    var method: String?
    /// What the path begins with; nil for any.
    var path: String?
    /// How many requests pass before it.
    var skip: Int?
    /// How many requests it is for; 1 when nil.
    var count: Int?
    var retryAfter: Int?
    var status: Int?
    var seconds: Double?
    var code: String?
    var detail: String?
    var pointer: String?
    var process: Int32?
    /// ``Moment/arrival`` when nil.
    var moment: Moment?

    func isAbout(_ request: ReceivedRequest) -> Bool {
        (method ?? request.method) == request.method
            && request.path.hasPrefix(path ?? request.path)
            && (kind != .stale || request.method == "GET")
            && (kind != .kill || request.method != "GET")
    }
}

extension [Trap] {
    /// Takes the trap that a request steps into.
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
    /// What is answered in place of anything that is done; nil for a trap that lets it be done.
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
