import Bytes
import Cryptography
import Foundation
import Sample
import Synchronization

/// Handles requests: checks them, springs traps, and reads and changes the account.
final class AppleAPI: Sendable {
    private struct Inside {
        var state = AppleState()
        /// The account before its last change, for stale reads.
        var before = AppleState()
        var traps: [Trap] = []
        var log: [JSONValue] = []
        var violations: [String] = []
        /// The account's saved state.
        var remembered: AppleState?
    }

    private let inside: Mutex<Inside>
    private let authority: SigningAuthority
    private let token: TokenCheck
    private let contracts: [Contract]
    /// Apple's time, if neither an order nor this machine's clock decides it.
    private let clock: (@Sendable () -> Date)?

    init(
        authority: SigningAuthority,
        token: TokenCheck,
        contracts: [Contract],
        clock: (@Sendable () -> Date)? = nil,
    ) {
        inside = Mutex(Inside())
        self.clock = clock
        self.authority = authority
        self.token = token
        self.contracts = contracts
    }

    /// The account's current state.
    var account: AppleState { inside.withLock { $0.state } }

    /// Violations of the contracts by requests and responses.
    var violations: [String] { inside.withLock { $0.violations } }

    /// Returns the response to a request; `origin` is the scheme, host and port that the client used.
    func answer(to request: ReceivedRequest, origin: String) -> AppleAnswer {
        inside.withLock { inside in
            if let clock { inside.state.clock = clock() }
            if request.path.hasPrefix("/control/") {
                return control(request, &inside)
            }
            inside.state.countRequest()
            var answer = serve(request, origin: origin, &inside)
            inside.log.append(
                .object([
                    "method": .text(request.method), "path": .text(request.path),
                    "query": .text(request.rawQuery), "status": .integer(answer.status),
                ])
            )
            let state = inside.state
            answer.headers += [
                ("Date", Self.webDate(state.now)),
                (
                    "X-Rate-Limit",
                    "user-hour-lim:\(state.rateLimit);user-hour-rem:\(state.rateRemaining);",
                ),
            ]
            return answer
        }
    }

    private func serve(
        _ request: ReceivedRequest,
        origin: String,
        _ inside: inout Inside,
    ) -> AppleAnswer {
        guard !inside.state.isKeyRevoked,
            token.accepts(request.authorization, at: inside.state.now)
        else { return .unauthorised }
        let found = contracts.flatMap { contract in
            contract.violations(of: request).map { "\(contract.name): \($0)" }
        }
        guard found.isEmpty else {
            inside.violations += found.map { "\(request.method) \(request.path): \($0)" }
            return .refusal(400, "PARAMETER_ERROR.INVALID", found.joined(separator: "; "))
        }
        let trap = inside.traps.spring(at: request)
        if trap?.kind == .kill, trap?.moment ?? .arrival == .arrival { trap?.strike() }
        if let answer = trap?.answer { return answer }
        var answer = perform(request, origin: origin, isStale: trap?.kind == .stale, &inside)
        for contract in contracts where contract.name != "facts" {
            inside.violations += contract.violations(of: answer, to: request)
                .map { "answer to \(request.method) \(request.path): \($0)" }
        }
        switch trap?.kind {
        case .cutAfter: answer.isCut = true
        case .kill where trap?.moment == .answered: answer.victim = trap?.process
        case .kill:
            trap?.strike()
            answer.isCut = true
        case .slow: answer.delay = trap?.seconds ?? 1
        case .foreignLink:
            answer.body = Self.linking(answer.body, to: "https://127.0.0.1:1/v1/devices?limit=1")
        case .circularLink:
            answer.body = Self.linking(answer.body, to: origin + "/v1/devices?limit=1&cursor=0")
        default: break
        }
        return answer
    }

    private func perform(
        _ request: ReceivedRequest,
        origin: String,
        isStale: Bool,
        _ inside: inout Inside,
    ) -> AppleAnswer {
        let nothing = AppleAnswer.refusal(404, "PATH_ERROR", "The path is not supported.")
        if request.method == "GET" {
            let state = isStale ? inside.before : inside.state
            return state.read(request, origin: origin) ?? nothing
        }
        guard inside.state.mayChange else { return .roleMissing }
        let former = inside.state
        do {
            let answer = try inside.state.change(by: request, under: authority) ?? nothing
            if answer.status < 300 { inside.before = former }
            return answer
        } catch {
            inside.violations.append("\(request.method) \(request.path) failed: \(error)")
            return AppleAnswer(status: 500)
        }
    }

    private func control(_ request: ReceivedRequest, _ inside: inout Inside) -> AppleAnswer {
        if request.method == "GET" {
            return .json(
                ControlReport(
                    state: inside.state,
                    log: inside.log,
                    violations: inside.violations,
                    traps: inside.traps.count,
                    contracts: contracts.map(\.name),
                ).document
            )
        }
        switch request.path {
        case "/control/identities": return issueIdentity(&inside)
        case "/control/remember":
            inside.remembered = inside.state
            return AppleAnswer(status: 204)
        case "/control/return":
            guard let state = inside.remembered else { return AppleAnswer(status: 400) }
            inside.state = state
            inside.before = state
            inside.traps = []
            inside.log = []
            return AppleAnswer(status: 204)
        default: break
        }
        do {
            let order = try JSONDecoder().decode(ControlOrder.self, from: Data(request.body))
            let former = inside.state
            try order.apply(to: &inside.state, under: authority)
            inside.before = former
            if order.clearsTraps == true { inside.traps = [] }
            inside.traps += order.traps ?? []
            return AppleAnswer(status: 204)
        } catch {
            return .json(.object(["error": .text("\(error)")]), status: 400)
        }
    }

    /// Issues a distribution certificate of the account with its private key, like one from a developer's
    /// Mac; it expires after `certificateDays`.
    private func issueIdentity(_ inside: inout Inside) -> AppleAnswer {
        do {
            let now = inside.state.now
            let identity = try authority.identity(
                .distribution,
                from: now.addingTimeInterval(-60),
                until: now.addingDays(inside.state.certificateDays),
            )
            inside.state.certificates.append(
                AppleState.IssuedCertificate(
                    id: inside.state.makeID(),
                    type: "DISTRIBUTION",
                    certificate: identity.certificate,
                )
            )
            return .json(.object(["pem": .text(identity.pem)]))
        } catch {
            return .json(.object(["error": .text("\(error)")]), status: 400)
        }
    }

    /// The same document with a link to a next page.
    private static func linking(_ body: [UInt8], to address: String) -> [UInt8] {
        guard var fields = JSONValue(reading: body)?.fields else { return body }
        fields["links"] = .object(["self": .text(address), "next": .text(address)])
        return JSONValue.object(fields).bytes
    }

    private static func webDate(_ date: Date) -> String {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        return formatter.string(from: date)
    }
}
