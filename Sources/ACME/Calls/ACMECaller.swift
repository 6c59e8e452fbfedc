import Essentials
import HTTPCalling

/// Sends requests for one account, and retries temporary failures.
actor ACMECaller {
    private let address: ACMEDirectoryAddress
    private let key: ACMEAccountKey
    private let transport: any CallTransport
    private let timing: CallTiming
    private var known: ACMEDirectory?
    private var nonce: String?

    /// The maximum number of retries when the authority rejects the nonce.
    private static let mostNonces = 20
    /// The maximum number of attempts for a request without a response or with a server error.
    private static let attempts = 3
    /// The maximum size of a response in bytes; a certificate chain has a few thousand.
    private static let longestAnswer = 256 << 10
    /// The maximum time for the whole response in seconds.
    private static let answering = 60
    /// The longest wait between requests that an authority may ask for, in seconds.
    private static let longestWait: TimeInterval = 30

    init(
        at address: ACMEDirectoryAddress,
        with key: ACMEAccountKey,
        through transport: any CallTransport,
        timing: CallTiming,
    ) {
        self.address = address
        self.key = key
        self.transport = transport
        self.timing = timing
    }

    /// The authority's directory; requested once.
    func directory() async throws(ACMEFailure) -> ACMEDirectory {
        if let known { return known }
        let answer = try await get(address.text)
        let directory = try read(ACMEDirectory.self, from: answer, of: address.text)
        known = directory
        return directory
    }

    /// Sends an unsigned request, for public resources.
    func get(_ target: String) async throws(ACMEFailure) -> CallAnswer {
        let answer = try await repeatedly("GET", target, body: nil)
        guard answer.status < 300 else { throw failure(answer, at: target) }
        return answer
    }

    /// Sends a signed request.
    ///
    /// - Parameters:
    ///   - target: a URL from the authority.
    ///   - payload: encoded as JSON; nil for a request that only reads (POST-as-GET).
    ///   - account: the URL of the account; nil for a request about the key itself.
    /// - Returns: a response with a status below 400.
    /// - Throws: ``ACMEFailure``.
    func post(
        _ target: String,
        _ payload: (any Encodable & Sendable)?,
        account: String?,
    ) async throws(ACMEFailure) -> CallAnswer {
        let body = payload.map { ACMEAccountKey.json($0) } ?? []
        for _ in 0..<Self.mostNonces {
            let answer = try await repeatedly(
                "POST",
                target,
                body: try key.signed(
                    body,
                    to: target,
                    nonce: try await freshNonce(),
                    account: account,
                ),
            )
            if answer.status < 300 { return answer }
            guard answer.problem?.word == "badNonce" else { throw failure(answer, at: target) }
        }
        throw .refused(word: "badNonce", said: "")
    }

    /// Decodes the JSON of a response.
    func read<Value: Decodable>(
        _ type: Value.Type,
        from answer: CallAnswer,
        of target: String,
    ) throws(ACMEFailure) -> Value {
        do {
            return try JSONDecoder().decode(type, from: Data(answer.body))
        } catch {
            throw .unreadable(
                host: ACMEDirectoryAddress.host(of: target),
                reason: "it is not the JSON of an ACME server",
            )
        }
    }

    /// Waits at least `seconds`, and longer if the authority asks for it in `answer`, up to a limit.
    func wait(
        _ seconds: TimeInterval,
        after answer: CallAnswer?,
    ) async throws(ACMEFailure) {
        let now = timing.now()
        let asked = answer?.retryDate(at: now)?.timeIntervalSince(now) ?? 0
        do {
            try await timing.sleep(max(seconds, min(asked, Self.longestWait)))
        } catch {
            throw .interrupted
        }
    }

    /// The nonce of the last response, or a new one; each is used once.
    private func freshNonce() async throws(ACMEFailure) -> String {
        if let nonce {
            self.nonce = nil
            return nonce
        }
        let target = try await directory().newNonce
        let answer = try await repeatedly("HEAD", target, body: nil)
        guard answer.status < 300 else { throw failure(answer, at: target) }
        guard let fresh = nonce else {
            throw .unreadable(
                host: ACMEDirectoryAddress.host(of: target),
                reason: "it has no Replay-Nonce",
            )
        }
        nonce = nil
        return fresh
    }

    /// Sends a request again after a network failure or a server error.
    ///
    /// A signed request is sent again only after a response: without one, its nonce may be used up, and
    /// another nonce makes it a different request.
    private func repeatedly(
        _ method: String,
        _ target: String,
        body: [UInt8]?,
    ) async throws(ACMEFailure) -> CallAnswer {
        var attempt = 1
        while true {
            var last: CallAnswer?
            do throws(ACMEFailure) {
                let answer = try await once(method, target, body: body)
                guard answer.status >= 500, body == nil, attempt < Self.attempts else {
                    return answer
                }
                last = answer
            } catch {
                guard Self.passes(error), body == nil, attempt < Self.attempts else { throw error }
            }
            try await wait(TimeInterval(attempt) * (0.5 + timing.random()), after: last)
            attempt += 1
        }
    }

    private func once(
        _ method: String,
        _ target: String,
        body: [UInt8]?,
    ) async throws(ACMEFailure) -> CallAnswer {
        guard address.allows(target) else { throw .foreignAddress(ACMEFailure.plain(target)) }
        // The transport sets the user agent that RFC 8555 section 6.1 requires.
        var headers = ["accept-language": "en"]
        if body != nil { headers["content-type"] = "application/jose+json" }
        let request = CallRequest(
            method: method,
            address: target,
            headers: headers,
            body: body,
            longestAnswer: Self.longestAnswer,
            seconds: Self.answering,
        )
        let answer: CallAnswer
        do throws(CallTrouble) {
            answer = try await transport.answer(to: request)
        } catch {
            throw ACMEFailure(error, from: ACMEDirectoryAddress.host(of: target))
        }
        // RFC 8555 section 6.5.1: base64url.
        if let fresh = ACMEToken.checked(answer.headers["replay-nonce"]) { nonce = fresh }
        return answer
    }

    private func failure(_ answer: CallAnswer, at target: String) -> ACMEFailure {
        guard answer.status >= 400 else {
            return .unreadable(
                host: ACMEDirectoryAddress.host(of: target),
                reason: "a redirect (status \(answer.status))",
            )
        }
        return ACMEFailure(
            answer,
            from: ACMEDirectoryAddress.host(of: target),
            at: timing.now(),
        )
    }

    private static func passes(_ failure: ACMEFailure) -> Bool {
        switch failure {
        case .unreachable, .tooSlow: true
        default: false
        }
    }
}
