import Cryptography
import Essentials
import HTTPCalling

/// Sends requests of one team, one at a time, and retries temporary failures.
actor AppleCaller {
    private let key: TeamAPIKey
    private let endpoint: AppleEndpoint
    private let transport: any CallTransport
    private let limits: CallLimits
    private let policy: RetryPolicy
    private let timing: CallTiming
    private let gate = CallGate()
    private var token: APIToken?
    private var budget: RateBudget?
    private var lastSent: Date?

    init(
        key: TeamAPIKey,
        endpoint: AppleEndpoint,
        transport: any CallTransport,
        limits: CallLimits,
        policy: RetryPolicy,
        timing: CallTiming,
    ) {
        self.key = key
        self.endpoint = endpoint
        self.transport = transport
        self.limits = limits
        self.policy = policy
        self.timing = timing
    }

    /// Sends a request until there is a final response.
    ///
    /// A request that creates something is sent again only after a response that shows that nothing was
    /// done; after any other failure the caller must first check whether it was created.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - name: the name of the resource to create, for error messages.
    /// - Returns: the body of a response with a status below 300.
    /// - Throws: ``AppleFailure``.
    func answer(
        to request: APIRequest,
        naming name: String = "",
    ) async throws(AppleFailure) -> [UInt8] {
        await gate.enter()
        let result: Result<[UInt8], AppleFailure>
        do throws(AppleFailure) {
            result = .success(try await repeatedly(request, name))
        } catch {
            result = .failure(error)
        }
        await gate.leave()
        return try result.get()
    }

    func wait(_ seconds: TimeInterval) async throws(AppleFailure) {
        guard seconds > 0 else { return }
        do {
            try await timing.sleep(seconds)
        } catch {
            throw .interrupted
        }
    }

    private func repeatedly(
        _ request: APIRequest,
        _ name: String,
    ) async throws(AppleFailure) -> [UInt8] {
        var attempt = 1
        var hasRenewed = false
        while true {
            switch try await verdict(on: request, name) {
            case .done(let body): return body
            case .mistrusted(let answer):
                // A token may expire or be rejected in the middle of a job; the response to a new one is
                // final.
                guard !hasRenewed else { throw refusal(of: answer) }
                hasRenewed = true
                token = nil
            case .again(let failure, let outcome):
                let random = timing.random()
                guard
                    let pause = policy.pause(after: outcome, attempt: attempt, random: random)
                else { throw failure }
                attempt += 1
                try await wait(pause)
            }
        }
    }

    /// The result of one attempt.
    private enum Verdict {
        case done([UInt8])
        /// The token was rejected.
        case mistrusted(CallAnswer)
        case again(AppleFailure, RetryPolicy.Outcome)
    }

    private func verdict(
        on request: APIRequest,
        _ name: String,
    ) async throws(AppleFailure) -> Verdict {
        let answer: CallAnswer
        do throws(AppleFailure) {
            answer = try await once(request)
        } catch {
            guard Self.passes(error), request.isRepeatable else { throw error }
            return .again(error, .failed)
        }
        switch answer.status {
        case 200..<300: return .done(answer.body)
        case 300..<400: throw .unreadable(reason: "a redirect (status \(answer.status))")
        case 401: return .mistrusted(answer)
        case 429:
            let now = timing.now()
            let asked = answer.retryDate(at: now, within: 86_400)?.timeIntervalSince(now)
            let seconds = Int((asked ?? policy.longestPause).rounded(.up))
            return .again(.rateLimited(seconds: seconds), .rateLimited(retryAfter: asked))
        default:
            let failure = AppleFailure(
                status: answer.status,
                RefusalDocument(answer.body),
                for: request.purpose,
                name: name,
            )
            guard case .unavailable = failure, request.isRepeatable else { throw failure }
            return .again(failure, .failed)
        }
    }

    /// Whether it is a network failure that may be temporary.
    private static func passes(_ failure: AppleFailure) -> Bool {
        switch failure {
        case .unreachable, .tooSlow: true
        default: false
        }
    }

    private func once(_ request: APIRequest) async throws(AppleFailure) -> CallAnswer {
        try await keepDistance()
        let token = try currentToken()
        lastSent = timing.now()
        var headers = ["accept": "application/json", "authorization": "Bearer " + token.text]
        if request.body != nil { headers["content-type"] = "application/json" }
        let outgoing = CallRequest(
            method: request.method.rawValue,
            address: endpoint.origin + request.target,
            headers: headers,
            body: request.body,
            longestAnswer: limits.bytes,
            seconds: limits.seconds,
        )
        let answer: CallAnswer
        do throws(CallTrouble) {
            answer = try await transport.answer(to: outgoing)
        } catch {
            throw AppleFailure(error)
        }
        if let header = answer.headers["x-rate-limit"], header.utf8.count <= 256 {
            budget = RateBudget(header: header) ?? budget
        }
        return answer
    }

    private func keepDistance() async throws(AppleFailure) {
        guard let budget, let lastSent else { return }
        let passed = timing.now().timeIntervalSince(lastSent)
        // A clock that was set back must not block all requests.
        guard passed >= 0 else { return }
        try await wait(min(budget.interval - passed, policy.longestPause))
    }

    private func currentToken() throws(AppleFailure) -> APIToken {
        let now = timing.now()
        if let token, token.isFresh(at: now) { return token }
        do throws(MalformedKey) {
            let fresh = try APIToken(for: key, at: now)
            token = fresh
            return fresh
        } catch {
            throw .key(error)
        }
    }

    /// Why a new token was rejected: it is not valid by the server's clock, or the key is not accepted.
    private func refusal(of answer: CallAnswer) -> AppleFailure {
        defer { token = nil }
        let ours = timing.now()
        guard let theirs = answer.date, let token,
            !token.isValid(by: theirs)
        else { return .keyRefused }
        return .clockDiffers(seconds: Int(ours.timeIntervalSince(theirs).rounded()))
    }
}
