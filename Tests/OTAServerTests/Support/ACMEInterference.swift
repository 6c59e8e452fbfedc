import ACME
import HTTPCalling
import Synchronization

/// A transport between a server and its authority that changes what a test wants changed.
final class Tampering: CallTransport {
    typealias Change =
        @Sendable (CallRequest, CallAnswer) throws(CallTrouble) ->
        CallAnswer

    private let transport: any CallTransport
    private let change: Change
    private let seen = Mutex<[CallRequest]>([])

    init(_ transport: any CallTransport, change: @escaping Change) {
        self.transport = transport
        self.change = change
    }

    /// The requests so far.
    var requests: [CallRequest] { seen.withLock { $0 } }

    func answer(to request: CallRequest) async throws(CallTrouble) -> CallAnswer {
        seen.withLock { $0.append(request) }
        return try change(request, try await transport.answer(to: request))
    }
}

/// Cuts the connection once in each attempt, after ever more requests: each request is cut once before and once
/// after the authority has received it.
final class Cuts: Sendable {
    private let state = Mutex((limit: 0, passed: 0, cuts: 0))

    var count: Int { state.withLock { $0.cuts } }

    /// - Returns: whether this request is cut, and whether the authority receives it.
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

struct Interrupting: CallTransport {
    let transport: any CallTransport
    let cuts: Cuts

    init(_ transport: any CallTransport, cuts: Cuts) {
        self.transport = transport
        self.cuts = cuts
    }

    func answer(to request: CallRequest) async throws(CallTrouble) -> CallAnswer {
        let next = cuts.next()
        guard next.isCut else { return try await transport.answer(to: request) }
        if next.isSent { _ = try await transport.answer(to: request) }
        throw .interrupted
    }
}

/// Adds renewal information (RFC 9773), which this version of Pebble lacks.
struct Suggesting: CallTransport {
    static let address = "https://127.0.0.1:1/renewals"

    let transport: any CallTransport
    let window: @Sendable () -> String?

    init(_ transport: any CallTransport, window: @escaping @Sendable () -> String?) {
        self.transport = transport
        self.window = window
    }

    func answer(to request: CallRequest) async throws(CallTrouble) -> CallAnswer {
        if request.address.hasPrefix(Self.address + "/") {
            let text = window()
            return CallAnswer(
                status: text == nil ? 404 : 200,
                headers: ["retry-after": "3600"],
                body: Array((text ?? "{}").utf8),
            )
        }
        let answer = try await transport.answer(to: request)
        guard request.address.hasSuffix("/dir"), answer.status == 200 else { return answer }
        let rest = answer.body.drop { $0 != UInt8(ascii: "{") }.dropFirst()
        let added =
            "{\"renewalInfo\": \"\(Self.address)\"," + String(decoding: rest, as: UTF8.self)
        return CallAnswer(status: 200, headers: answer.headers, body: Array(added.utf8))
    }
}
