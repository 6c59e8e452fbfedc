import ACME
import Synchronization

/// What stands between a server and its authority, and changes what a test wants changed.
final class Tampering: ACMETransport {
    typealias Change =
        @Sendable (ACMEExchange.Outgoing, ACMEExchange.Answer) throws(ACMEFailure) ->
        ACMEExchange.Answer

    private let transport: any ACMETransport
    private let change: Change
    private let seen = Mutex<[ACMEExchange.Outgoing]>([])

    init(_ transport: any ACMETransport, change: @escaping Change) {
        self.transport = transport
        self.change = change
    }

    /// What was sent so far.
    var requests: [ACMEExchange.Outgoing] { seen.withLock { $0 } }

    func send(
        _ request: ACMEExchange.Outgoing
    ) async throws(ACMEFailure) -> ACMEExchange.Answer {
        seen.withLock { $0.append(request) }
        return try change(request, try await transport.send(request))
    }
}

/// How many requests of an attempt go through before it is cut off: one more each time, once before the
/// request and once behind it.
final class Cuts: Sendable {
    private let state = Mutex((limit: 0, passed: 0, cuts: 0))

    var count: Int { state.withLock { $0.cuts } }

    /// - Returns: whether the request is cut off, and whether its authority has it then.
    func next() -> (isCut: Bool, isSent: Bool) {
        state.withLock { state in
            guard state.passed >= state.limit / 2 else {
                state.passed += 1
                return (false, true)
            }
            let isSent = state.limit % 2 == 1
            state = (state.limit + 1, 0, state.cuts + 1)
            return (true, isSent)
        }
    }
}

struct Interrupting: ACMETransport {
    let transport: any ACMETransport
    let cuts: Cuts

    init(_ transport: any ACMETransport, cuts: Cuts) {
        self.transport = transport
        self.cuts = cuts
    }

    func send(
        _ request: ACMEExchange.Outgoing
    ) async throws(ACMEFailure) -> ACMEExchange.Answer {
        let next = cuts.next()
        guard next.isCut else { return try await transport.send(request) }
        if next.isSent { _ = try await transport.send(request) }
        throw .interrupted
    }
}

/// Adds what this version of Pebble lacks: renewal information (RFC 9773).
struct Suggesting: ACMETransport {
    static let address = "https://127.0.0.1:1/renewals"

    let transport: any ACMETransport
    let window: @Sendable () -> String?

    init(_ transport: any ACMETransport, window: @escaping @Sendable () -> String?) {
        self.transport = transport
        self.window = window
    }

    func send(
        _ request: ACMEExchange.Outgoing
    ) async throws(ACMEFailure) -> ACMEExchange.Answer {
        if request.address.hasPrefix(Self.address + "/") {
            let text = window()
            return ACMEExchange.Answer(
                status: text == nil ? 404 : 200,
                headers: ["retry-after": "3600"],
                body: Array((text ?? "{}").utf8),
            )
        }
        let answer = try await transport.send(request)
        guard request.address.hasSuffix("/dir"), answer.status == 200 else { return answer }
        let rest = answer.body.drop { $0 != UInt8(ascii: "{") }.dropFirst()
        let added =
            "{\"renewalInfo\": \"\(Self.address)\"," + String(decoding: rest, as: UTF8.self)
        return ACMEExchange.Answer(status: 200, headers: answer.headers, body: Array(added.utf8))
    }
}
