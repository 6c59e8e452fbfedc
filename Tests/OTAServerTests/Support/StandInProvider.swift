import Access
import Bytes
import Cryptography
import Foundation
import HTTPCalling
import OTAServer
import OpenID
import Releases
import Store
import Synchronization

/// An OpenID provider in this process, whose responses a test controls.
final class StandInProvider: CallTransport {
    /// How it behaves; by default, every member is as in an honest provider.
    struct Behaviour: Sendable {
        var header: [String: JSONValue] = [
            "alg": .text("ES256"), "kid": .text("one"), "typ": .text("JWT"),
        ]
        /// Changes the claims of the next tokens.
        var claims: @Sendable (inout [String: JSONValue]) -> Void = { _ in }
        /// Changes a finished token.
        var token: @Sendable (String) -> String = { $0 }
        /// The key that signs; nil for its own.
        var signer: PrivateKey?
        var keys: [String] = []
        var metadata: [String: JSONValue] = [:]
        var userInfo: [String: JSONValue]?
        var refreshToken: String? = "r0"
        /// The claims about the person of a request to the token endpoint; nil to refuse it.
        var person: @Sendable (_ form: String) -> [String: JSONValue]? = { _ in [:] }
        /// Whether a refresh returns a new ID token.
        var isTelling = true
        /// Runs before the token endpoint responds.
        var meanwhile: @Sendable () async throws -> Void = {}
        /// Errors instead of responses, by the end of the path.
        var troubles: [String: CallTrouble] = [:]
        /// Statuses instead of 200, by the end of the path.
        var statuses: [String: Int] = [:]
    }

    static let issuer = "https://id.example.com"
    static let client = "ota of the tests".replacingOccurrences(of: " ", with: "-")
    static let accessToken = "an-access-token"

    let key: PrivateKey
    private let state = Mutex(
        (behaviour: Behaviour(), nonce: "", challenge: "", calls: [String]())
    )
    private let clock: @Sendable () -> Date

    init(clock: @escaping @Sendable () -> Date = { Date() }) throws {
        key = try PrivateKey.generate(.p256)
        self.clock = clock
    }

    var behaviour: Behaviour {
        get { state.withLock { $0.behaviour } }
        set { state.withLock { $0.behaviour = newValue } }
    }

    /// The requested paths.
    var calls: [String] { state.withLock { $0.calls } }

    func begin(nonce: String, challenge: String) {
        state.withLock { ($0.nonce, $0.challenge) = (nonce, challenge) }
    }

    func answer(to request: CallRequest) async throws(CallTrouble) -> CallAnswer {
        let path = request.address.dropFirst(Self.issuer.count)
        let behaviour = state.withLock { state in
            state.calls.append(String(path))
            return state.behaviour
        }
        let name = String(path.split(separator: "/").last ?? "")
        if let trouble = behaviour.troubles[name] { throw trouble }
        guard let object = object(name, request, behaviour),
            let body = try? JSONEncoder().encode(object)
        else { return CallAnswer(status: 404, headers: [:], body: []) }
        guard body.count <= request.longestAnswer else {
            throw .answerTooLarge(limit: request.longestAnswer)
        }
        if name == "token" { try? await behaviour.meanwhile() }
        let refusal = Array(#"{"error":"invalid_grant"}"#.utf8)
        let form = String(decoding: request.body ?? [], as: UTF8.self)
        let isRefused = name == "token" && behaviour.person(form) == nil
        let status = behaviour.statuses[name] ?? (isRefused ? 400 : 200)
        return CallAnswer(
            status: status,
            headers: status == 302 ? ["location": "https://evil.example/"] : [:],
            body: status == 200 ? Array(body) : refusal,
        )
    }

    private func object(
        _ name: String,
        _ request: CallRequest,
        _ behaviour: Behaviour,
    ) -> JSONValue? {
        switch name {
        case "openid-configuration":
            var members: [String: JSONValue] = [
                "issuer": .text(Self.issuer),
                "authorization_endpoint": .text(Self.issuer + "/authorize"),
                "token_endpoint": .text(Self.issuer + "/token"),
                "jwks_uri": .text(Self.issuer + "/keys"),
                "userinfo_endpoint": .text(Self.issuer + "/userinfo"),
                "end_session_endpoint": .text(Self.issuer + "/logout"),
                "backchannel_logout_supported": .boolean(true),
            ]
            members.merge(behaviour.metadata) { $1 }
            return .object(members)
        case "keys":
            guard behaviour.keys.isEmpty else {
                let sets = behaviour.keys.compactMap {
                    try? JSONDecoder().decode(JSONValue.self, from: Data($0.utf8))
                }
                return .object(["keys": .list(sets)])
            }
            return .object(["keys": .list([Self.webKey(of: key, "one")])])
        case "userinfo": return behaviour.userInfo.map { .object($0) }
        case "token": return tokens(request, behaviour)
        default: return nil
        }
    }

    private func tokens(_ request: CallRequest, _ behaviour: Behaviour) -> JSONValue? {
        let form = String(decoding: request.body ?? [], as: UTF8.self)
        let isFirst = form.contains("grant_type=authorization_code")
        let (nonce, challenge) = state.withLock { ($0.nonce, $0.challenge) }
        if isFirst {
            // RFC 7636 section 4.6.
            let verifier = form.split(separator: "&").first { $0.hasPrefix("code_verifier=") } ?? ""
            let shown = SHA256Digest(of: Array(verifier.dropFirst(14).utf8)).bytes
            guard Base64URL.text(shown) == challenge else { return nil }
        }
        var claims = identity(nonce: isFirst ? nonce : nil)
        claims.merge(behaviour.person(form) ?? [:]) { $1 }
        behaviour.claims(&claims)
        var members: [String: JSONValue] = [
            "access_token": .text(Self.accessToken), "token_type": .text("Bearer"),
        ]
        if isFirst || behaviour.isTelling { members["id_token"] = .text(token(claims, behaviour)) }
        if let refresh = behaviour.refreshToken {
            members["refresh_token"] = .text(isFirst ? refresh : refresh + "+")
        }
        return .object(members)
    }

    /// The claims about Ana in an honest token.
    private func identity(nonce: String?) -> [String: JSONValue] {
        let now = Int(clock().timeIntervalSince1970)
        var claims: [String: JSONValue] = [
            "iss": .text(Self.issuer), "aud": .text(Self.client), "sub": .text("248289761001"),
            "iat": .integer(now), "exp": .integer(now + 300), "email": .text("Ana@example.com"),
            "email_verified": .boolean(true), "name": .text("Ana Example"),
            "groups": .list([.text("release-team")]), "sid": .text("session-1"),
        ]
        if let nonce { claims["nonce"] = .text(nonce) }
        return claims
    }

    /// A logout token according to the specification (OpenID Connect Back-Channel Logout), with changes.
    func logoutToken(
        header: [String: JSONValue] = ["typ": .text("logout+jwt")],
        _ change: (inout [String: JSONValue]) -> Void = { _ in },
    ) -> String {
        let now = Int(clock().timeIntervalSince1970)
        var claims: [String: JSONValue] = [
            "iss": .text(Self.issuer), "aud": .text(Self.client), "iat": .integer(now),
            "exp": .integer(now + 120), "jti": .text(UUID().uuidString),
            "sub": .text("248289761001"), "sid": .text("session-1"),
            "events": .object([
                "http://schemas.openid.net/event/backchannel-logout": .object([:])
            ]),
        ]
        change(&claims)
        var behaviour = behaviour
        behaviour.header.merge(header) { $1 }
        return token(claims, behaviour)
    }

    private func token(_ claims: [String: JSONValue], _ behaviour: Behaviour) -> String {
        func part(_ value: [String: JSONValue]) -> String {
            Base64URL.text((try? JSONEncoder().encode(value)).map { Array($0) } ?? [])
        }
        let signed = part(behaviour.header) + "." + part(claims)
        let signature = (try? (behaviour.signer ?? key).sign(Array(signed.utf8)))
            .flatMap { RawSignature(der: $0) }
        return behaviour.token(signed + "." + Base64URL.text(signature?.bytes ?? []))
    }

    /// The public P-256 key as a JWK, as a provider publishes it.
    static func webKey(of key: PrivateKey, _ identifier: String) -> JSONValue {
        let point = key.publicKey.suffix(64)
        return .object([
            "kty": .text("EC"), "crv": .text("P-256"), "kid": .text(identifier),
            "use": .text("sig"),
            "x": .text(Base64URL.text(Array(point.prefix(32)))),
            "y": .text(Base64URL.text(Array(point.suffix(32)))),
        ])
    }
}

/// The clock of a site that starts later.
final class LateClock: Sendable {
    private let clock = Mutex<TestClock?>(nil)

    var now: Date { clock.withLock { $0?.now } ?? Date() }

    func follow(_ other: TestClock) { clock.withLock { $0 = other } }
}

/// A browser that signs in at a ``StandInProvider``.
struct PeopleClient {
    let site: TestSite
    let provider: StandInProvider

    /// Runs a site on which Ana's address has a role.
    static func run(
        roles: [RoleGrant] = [RoleGrant(.admin, to: .email("ana@example.com"))],
        roleClaim: String? = "groups",
        testers: [TesterGrant] = [],
        _ body: @Sendable @escaping (PeopleClient) async throws -> Void,
    ) async throws {
        let clock = LateClock()
        let provider = try StandInProvider { clock.now }
        try await TestSite.run(configure: { configuration, _ in
            configuration.providers = provider
            configuration.eventBeat = .milliseconds(100)
        }) { site in
            clock.follow(site.clock)
            let people = PeopleClient(site: site, provider: provider)
            try people.set(roles, roleClaim: roleClaim, testers: testers)
            try await body(people)
        }
    }

    func set(
        _ grants: [RoleGrant],
        roleClaim: String? = "groups",
        testers: [TesterGrant] = [],
    ) throws {
        guard let issuer = IssuerURL(StandInProvider.issuer) else { throw TestSite.Unusable() }
        try site.store.changeSignIn { register in
            register.settings = SignInSettings(
                issuer: issuer,
                clientID: StandInProvider.client,
                clientSecret: "secret",
                name: "Example ID",
                roleClaim: roleClaim,
                grants: grants,
                testers: testers,
                scopes: ["groups"],
                changed: Date(timeIntervalSince1970: 1_700_000_000),
            )
        } recording: {
            []
        }
    }

    /// A sign-in that has begun: what the provider was sent, and the cookie.
    struct Begun {
        let query: [String: String]
        let cookie: String

        var state: String { query["state"] ?? "" }
    }

    func begin(to path: String = "") async throws -> Begun {
        let answer = try await WireClient.get(site, "/sign-in" + path)
        return begun(by: answer)
    }

    /// The sign-in that a redirect to the provider has begun.
    func begun(by answer: WireResponse) -> Begun {
        let location = URLComponents(string: answer.fields["location"] ?? "")
        let query = (location?.queryItems ?? []).reduce(into: [String: String]()) {
            $0[$1.name] = $1.value
        }
        let cookie = String((answer.fields["set-cookie"] ?? "").prefix { $0 != ";" })
        provider.begin(nonce: query["nonce"] ?? "", challenge: query["code_challenge"] ?? "")
        return Begun(query: query, cookie: cookie)
    }

    func finish(_ begun: Begun, _ query: String? = nil) async throws -> WireResponse {
        try await WireClient.get(
            site,
            "/sign-in/callback?" + (query ?? "code=c1&state=\(begun.state)"),
            fields: ["Cookie": begun.cookie],
        )
    }

    /// Signs Ana in.
    func signIn() async throws -> AdminClient {
        try AdminClient(site, after: await finish(begin()))
    }

    var sessionCount: Int {
        get throws { try site.store.personSessions().count }
    }
}
