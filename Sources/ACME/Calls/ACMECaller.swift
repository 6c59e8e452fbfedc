import Essentials
import HTTPCalling

/// Sends requests of one account, and repeats those whose failure is temporary.
actor ACMECaller {
    private let address: ACMEDirectoryAddress
    private let key: ACMEAccountKey
    private let transport: any CallTransport
    private let timing: CallTiming
    private var known: ACMEDirectory?
    private var nonce: String?

    /// How often a request is repeated whose nonce the authority no longer knows.
    private static let mostNonces = 20
    /// How often a request is sent that gets no answer, or the answer of a broken server.
    private static let attempts = 3
    /// Bytes of an answer; a chain of certificates has some thousand.
    private static let longestAnswer = 256 << 10
    /// Seconds within which the whole answer must arrive.
    private static let answering = 60
    /// The longest wait in between that an authority may ask for, in seconds.
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

    /// What the authority offers; asked once.
    func directory() async throws(ACMEFailure) -> ACMEDirectory {
        if let known { return known }
        let answer = try await get(address.text)
        let directory = try read(ACMEDirectory.self, from: answer, of: address.text)
        known = directory
        return directory
    }

    /// A request without a signature, for what everyone may read.
    func get(_ target: String) async throws(ACMEFailure) -> CallAnswer {
        let answer = try await repeatedly("GET", target, body: nil)
        guard answer.status < 300 else { throw failure(answer, at: target) }
        return answer
    }

    /// A signed request.
    ///
    /// - Parameters:
    ///   - target: an address that the authority gave.
    ///   - payload: JSON; nil for a request that only reads.
    ///   - account: the address of the account; nil for a request about the key itself.
    /// - Returns: an answer with a status below 400.
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

    /// Reads what an answer has as JSON.
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

    /// Waits at least so long, and as long as the authority asks for in `answer` if that is not too
    /// long.
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

    /// A nonce of the last answer, or a new one; each is used once.
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

    /// Sends a request again after a failure of the way, or a broken server.
    ///
    /// A signed request is sent again only after an answer: without one, its nonce may be used up, and
    /// the next nonce makes another request of it.
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
        // RFC 8555 section 6.1 asks for a user agent, which the transport names.
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
