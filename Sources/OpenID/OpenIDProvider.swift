package import Access
import Bytes
import Cryptography
package import Essentials
package import HTTPCalling

/// A client of an OpenID provider, which caches its metadata and keys for an hour.
package actor OpenIDProvider {
    /// The time for which the provider's documents are cached, in seconds.
    private static let freshness: TimeInterval = 3600
    /// The pause in seconds before another request to a provider that did not respond.
    private static let failurePause: TimeInterval = 5
    /// The minimum interval in seconds between two requests for the keys because of unknown key IDs.
    private static let keyPause: TimeInterval = 60

    package nonisolated let issuer: IssuerURL
    let call: ProviderCall
    private let now: @Sendable () -> Date
    private var known: (metadata: ProviderMetadata, fetched: Date)?
    private var keys: WebKeySet?
    /// The request in progress, whose result all callers await.
    private var fetching: Task<Result<ProviderMetadata, SignInRefusal>, Never>?
    private var failed: (refusal: SignInRefusal, date: Date)?

    /// - Parameters:
    ///   - issuer: the provider.
    ///   - transport: sends the requests.
    ///   - now: returns the present.
    package init(
        _ issuer: IssuerURL,
        through transport: any CallTransport,
        now: @escaping @Sendable () -> Date,
    ) {
        self.issuer = issuer
        call = ProviderCall(transport: transport)
        self.now = now
    }

    /// The provider's metadata.
    ///
    /// - Throws: ``SignInRefusal``.
    package func metadata() async throws(SignInRefusal) -> ProviderMetadata {
        let date = now()
        if let known, abs(date.timeIntervalSince(known.fetched)) < Self.freshness {
            return known.metadata
        }
        if let failed, abs(date.timeIntervalSince(failed.date)) < Self.failurePause {
            throw failed.refusal
        }
        let task = fetching ?? Task { await self.fetched() }
        fetching = task
        let result = await task.value
        fetching = nil
        switch result {
        case .success(let metadata):
            known = (metadata, date)
            failed = nil
        case .failure(let refusal): failed = (refusal, date)
        }
        return try result.get()
    }

    private func fetched() async -> Result<ProviderMetadata, SignInRefusal> {
        do throws(SignInRefusal) {
            let bytes = try await call.document(
                ProviderMetadata.address(of: issuer),
                atMost: ProviderMetadata.limit,
            )
            return .success(try ProviderMetadata(bytes, of: issuer))
        } catch {
            return .failure(error)
        }
    }

    /// Fetches everything that a sign-in needs.
    ///
    /// - Returns: the metadata, and the number of usable keys.
    /// - Throws: ``SignInRefusal``.
    package func tryOut() async throws(SignInRefusal) -> (metadata: ProviderMetadata, keys: Int) {
        (known, failed) = (nil, nil)
        let metadata = try await metadata()
        let count = try await fetchKeys().keys.count
        guard count > 0 else { throw SignInRefusal(.unknownKey, "none can be used") }
        return (metadata, count)
    }

    /// Exchanges an authorization code for the person's identity.
    ///
    /// - Parameters:
    ///   - code: the code from the browser.
    ///   - attempt: the sign-in to which it belongs.
    ///   - redirect: the redirect URI of the sign-in.
    ///   - client: this server.
    ///   - roleClaim: the claim whose values determine roles.
    /// - Returns: the verified identity.
    /// - Throws: ``SignInRefusal``.
    package func identity(
        for code: String,
        of attempt: SignInAttempt,
        redirect: String,
        as client: ClientIdentity,
        roleClaim: String?,
    ) async throws(SignInRefusal) -> ProvenIdentity {
        let metadata = try await metadata()
        let answer = try await call.tokens(
            from: metadata,
            [
                ("grant_type", "authorization_code"), ("code", code), ("redirect_uri", redirect),
                ("code_verifier", attempt.verifier),
            ],
            as: client,
        )
        guard let token = answer.text("id_token") else {
            throw SignInRefusal(.badAnswer, "it has no id_token")
        }
        let access = Self.accessToken(in: answer)
        return try await identity(
            in: token,
            access: access,
            nonce: attempt.nonce,
            refresh: answer.text("refresh_token").flatMap(Self.kept),
            as: client,
            roleClaim: roleClaim,
            metadata,
        )
    }

    /// Confirms the identity of a person who has signed in before.
    ///
    /// - Parameters:
    ///   - refreshToken: the refresh token.
    ///   - person: the person, as known so far.
    ///   - identityToken: the ID token of the sign-in, for a response without a new one.
    ///   - client: this server.
    ///   - roleClaim: the claim whose values determine roles.
    /// - Returns: the present identity with the next refresh token; without that token if the response
    ///   does not describe the person.
    /// - Throws: ``SignInRefusal``; `codeRefused` when the provider has ended the session.
    package func confirmation(
        with refreshToken: String,
        of person: Person,
        identityToken: String,
        as client: ClientIdentity,
        roleClaim: String?,
    ) async throws(SignInRefusal) -> ProvenIdentity {
        let metadata = try await metadata()
        let answer = try await call.tokens(
            from: metadata,
            [("grant_type", "refresh_token"), ("refresh_token", refreshToken)],
            as: client,
        )
        let next = answer.text("refresh_token").flatMap(Self.kept) ?? refreshToken
        let access = Self.accessToken(in: answer)
        guard let token = answer.text("id_token") else {
            // Without a new ID token (section 12.2), the userinfo endpoint is used if there is one.
            guard let address = metadata.userInfoEndpoint, let access else {
                // The response does not say whether the person still has the role, so it confirms
                // nothing.
                return ProvenIdentity(
                    person: person,
                    providerSession: nil,
                    identityToken: identityToken,
                    refreshToken: nil,
                )
            }
            let info = try await userInfo(at: address, with: access, of: person.subject)
            return ProvenIdentity(
                person: Self.person(issuer, person.subject, [info], roleClaim),
                providerSession: nil,
                identityToken: identityToken,
                refreshToken: next,
            )
        }
        let proven = try await identity(
            in: token,
            access: access,
            nonce: nil,
            refresh: next,
            as: client,
            roleClaim: roleClaim,
            metadata,
        )
        guard proven.person.isSame(as: person) else { throw SignInRefusal(.otherPerson) }
        return proven
    }

    /// Verifies a logout token.
    ///
    /// - Throws: ``SignInRefusal``.
    package func logout(
        announcedBy text: String,
        to client: ClientIdentity,
    ) async throws(SignInRefusal) -> LogoutNotice {
        let token = try WebToken(text)
        let fields = try await fields(of: token)
        let expected = IdentityExpectation(
            issuer: issuer,
            clientID: client.identifier,
            nonce: nil,
            accessToken: nil,
            now: now(),
        )
        return try LogoutNotice(fields, of: token, as: expected)
    }

    // MARK: Parts

    private func identity(
        in text: String,
        access: String?,
        nonce: String?,
        refresh: String?,
        as client: ClientIdentity,
        roleClaim: String?,
        _ metadata: ProviderMetadata,
    ) async throws(SignInRefusal) -> ProvenIdentity {
        let token = try WebToken(text)
        let fields = try await fields(of: token)
        let expected = IdentityExpectation(
            issuer: issuer,
            clientID: client.identifier,
            nonce: nonce,
            accessToken: access,
            now: now(),
        )
        let subject = try expected.check(fields, of: token)
        var sources = [fields]
        // Many providers return claims that the ID token lacks from the userinfo endpoint.
        let isShort =
            !fields.has("email") || !fields.has("name")
            || roleClaim.map { fields.texts(at: $0, atMost: 1) == nil } ?? false
        if isShort, let address = metadata.userInfoEndpoint, let access {
            sources.append(try await userInfo(at: address, with: access, of: subject))
        }
        return ProvenIdentity(
            person: Self.person(issuer, subject, sources, roleClaim),
            providerSession: fields.text("sid").flatMap { $0.utf8.count <= 256 ? $0 : nil },
            identityToken: text,
            refreshToken: refresh,
        )
    }

    /// The claims of a token with a valid signature; keys that may have changed are fetched once more.
    private func fields(of token: WebToken) async throws(SignInRefusal) -> TokenFields {
        let date = now()
        var current: WebKeySet
        if let keys, abs(date.timeIntervalSince(keys.fetched)) < Self.freshness {
            current = keys
        } else {
            current = try await fetchKeys()
        }
        do throws(SignInRefusal) {
            return try token.fields(signedBy: current.keys(named: token.keyIdentifier))
        } catch {
            guard [.unknownKey, .badSignature].contains(error.reason),
                abs(date.timeIntervalSince(current.fetched)) >= Self.keyPause
            else { throw error }
            current = try await fetchKeys()
            return try token.fields(signedBy: current.keys(named: token.keyIdentifier))
        }
    }

    private func fetchKeys() async throws(SignInRefusal) -> WebKeySet {
        let address = try await metadata().keysAddress
        let date = now()
        let bytes = try await call.document(address, atMost: WebKeySet.limit)
        let set = try WebKeySet(bytes, at: date)
        keys = set
        return set
    }
}
