import Access
import Bytes
import Cryptography
import Foundation
import HTTPCalling
import OTAServer
import OpenID
import Releases
import Store
import Testing

/// What a malicious provider, browser or neighbour can send: each is refused with its own line in the log,
/// and opens no session.
@Suite(.timeLimit(.minutes(10)))
struct SignInAttackTests {
    private typealias Behaviour = StandInProvider.Behaviour
    private typealias Claims = [String: JSONValue]

    /// A response of the provider that must be refused.
    private struct Attack: Sendable {
        let problem: String
        var status = 401
        var query: @Sendable (PeopleClient.Begun) -> String = { "code=c1&state=\($0.state)" }
        let change: @Sendable (inout Behaviour, StandInProvider) throws -> Void

        static func claims(
            _ problem: String,
            status: Int = 401,
            _ change: @escaping @Sendable (inout Claims) -> Void,
        ) -> Attack {
            Attack(problem: problem, status: status) { behaviour, _ in behaviour.claims = change }
        }
    }

    private static let tokens: [Attack] = [
        Attack(problem: "unsigned") { behaviour, _ in
            behaviour.header["alg"] = .text("none")
            behaviour.token = { String($0[...($0.lastIndex(of: ".") ?? $0.startIndex)]) }
        },
        Attack(problem: "unsigned") { behaviour, _ in behaviour.header["alg"] = .text("nOnE") },
        Attack(problem: "unsigned") { behaviour, _ in behaviour.header["alg"] = nil },
        // Signed with the published key as if it were a shared secret.
        Attack(problem: "shared-key") { behaviour, provider in
            behaviour.header["alg"] = .text("HS256")
            let secret = Array(PublicKey(of: provider.key).pem.utf8)
            behaviour.token = { token in
                let signed = token[..<(token.lastIndex(of: ".") ?? token.startIndex)]
                let code = authenticationCode(of: Array(signed.utf8), key: secret)
                return "\(signed)." + Base64URL.text(code)
            }
        },
        Attack(problem: "other-algorithm") { behaviour, _ in
            behaviour.header["alg"] = .text("RS256")
        },
        Attack(problem: "other-algorithm") { behaviour, _ in
            behaviour.header["alg"] = .text("ES256K")
        },
        // The key is in the token itself.
        Attack(problem: "unknown-key") { behaviour, _ in
            let own = try PrivateKey.generate(.p256)
            behaviour.signer = own
            behaviour.header["kid"] = .text("mine")
            behaviour.header["jwk"] = StandInProvider.webKey(of: own, "mine")
            behaviour.header["jku"] = .text("https://evil.example/keys")
        },
        Attack(problem: "bad-signature") { behaviour, _ in
            behaviour.signer = try PrivateKey.generate(.p256)
        },
        Attack(problem: "bad-signature") { behaviour, _ in
            behaviour.token = { token in
                let parts = token.split(separator: ".")
                return "\(parts[0]).\(parts[1])."
                    + Base64URL.text([UInt8](repeating: 0, count: 64))
            }
        },
        Attack(problem: "unknown-extension") { behaviour, _ in
            behaviour.header["crit"] = .list([.text("exp")])
        },
        Attack(problem: "bad-token") { behaviour, _ in behaviour.token = { _ in "a.b" } },
        Attack(problem: "bad-token") { behaviour, _ in
            behaviour.token = { $0 + String(repeating: "A", count: 40_000) }
        },
        Attack(problem: "bad-token") { behaviour, _ in
            behaviour.header["typ"] = .text("logout+jwt")
        },
        .claims("wrong-issuer") { $0["iss"] = .text("https://id.example.com/") },
        .claims("wrong-audience") { $0["aud"] = .text("another") },
        .claims("wrong-audience") { $0["aud"] = .list([]) },
        .claims("wrong-party") { $0["aud"] = .list([.text(StandInProvider.client), .text("x")]) },
        .claims("wrong-party") { $0["azp"] = .text("another") },
        .claims("expired") { $0["exp"] = .integer(Int(Date().timeIntervalSince1970) - 62) },
        .claims("not-yet-valid") { $0["iat"] = .integer(Int(Date().timeIntervalSince1970) + 90) },
        .claims("not-yet-valid") { $0["nbf"] = .integer(Int(Date().timeIntervalSince1970) + 90) },
        .claims("stale") { $0["iat"] = .integer(Int(Date().timeIntervalSince1970) - 700) },
        .claims("bad-token") { $0["exp"] = .text("never") },
        .claims("bad-token") { $0["exp"] = .number(1e300) },
        .claims("wrong-nonce") { $0["nonce"] = .text("of another sign-in") },
        .claims("wrong-nonce") { $0["nonce"] = nil },
        .claims("wrong-access-token") { $0["at_hash"] = .text("AAAAAAAAAAAAAAAAAAAAAA") },
        .claims("bad-token") { $0["sub"] = nil },
        .claims("bad-token") { $0["sub"] = .text(String(repeating: "a", count: 300)) },
        .claims("bad-token") { $0["events"] = .object([:]) },
        // No role: the address is not verified, only looks the same, or is someone else's.
        .claims("no-role", status: 403) { $0["email_verified"] = .boolean(false) },
        .claims("no-role", status: 403) { $0["email_verified"] = nil },
        .claims("no-role", status: 403) { $0["email"] = .text("ana@example.com.evil.example") },
        .claims("no-role", status: 403) { $0["email"] = .text("ªna@example.com") },
    ]

    private static let answers: [Attack] = [
        Attack(problem: "other-person") { behaviour, _ in
            behaviour.claims = { $0["email"] = nil }
            behaviour.userInfo = [
                "sub": .text("someone"), "email": .text("ana@example.com"),
                "email_verified": .boolean(true),
            ]
        },
        Attack(problem: "bad-answer", status: 503) { behaviour, _ in
            behaviour.statuses["token"] = 302
        },
        Attack(problem: "bad-answer", status: 503) { behaviour, _ in
            behaviour.statuses["token"] = 500
        },
        Attack(problem: "answer-too-large", status: 503) { behaviour, _ in
            behaviour.claims = { $0["padding"] = .text(String(repeating: "a", count: 200_000)) }
        },
        Attack(problem: "too-slow", status: 503) { behaviour, _ in
            behaviour.troubles["token"] = .tooSlow(seconds: 5)
        },
        Attack(problem: "unreachable", status: 503) { behaviour, _ in
            behaviour.troubles["token"] = .untrusted(
                reason: "the certificate is not from a trusted authority"
            )
        },
        Attack(
            problem: "mixed-up",
            query: { "code=c1&state=\($0.state)&iss=https://evil.example" },
        ) { _, _ in },
        Attack(problem: "denied", query: { "error=access_denied&state=\($0.state)" }) { _, _ in },
        Attack(problem: "no-code", query: { "state=\($0.state)" }) { _, _ in },
        Attack(problem: "wrong-state", query: { _ in "code=c1&state=00" }) { _, _ in },
        Attack(problem: "wrong-state", query: { _ in "code=c1" }) { _, _ in },
        Attack(problem: "wrong-state", query: { "code=c1&state=\($0.state)&code=c2" }) { _, _ in },
        Attack(problem: "code-refused") { behaviour, _ in behaviour.statuses["token"] = 400 },
    ]

    @Test func `no hostile answer opens a session, and the log says of each what it was`()
        async throws
    {
        try await PeopleClient.run { people in
            var expected: [String] = []
            for (index, attack) in (Self.tokens + Self.answers).enumerated() {
                var behaviour = Behaviour()
                try attack.change(&behaviour, people.provider)
                people.provider.behaviour = behaviour
                let begun = try await people.begin()
                let answer = try await people.finish(begun, attack.query(begun))
                let name = "\(index) \(attack.problem)"
                #expect(answer.status == attack.status, "\(name)")
                #expect(answer.fields["set-cookie"]?.contains("ota_admin=") != true, "\(name)")
                #expect(
                    answer.text.contains("data-problem=\"sign-in.\(attack.problem)\""),
                    "\(name)",
                )
                #expect(answer.text.contains("role=\"alert\""), "\(name)")
                expected.append("sign-in." + attack.problem)
            }
            #expect(try people.sessionCount == 0)
            let log = try await people.site.logText()
            let lines = log.split(separator: "\n").filter { $0.contains("a sign-in was refused") }
            #expect(lines.count == expected.count)
            for (line, problem) in zip(lines, expected) {
                #expect(line.contains("problem=\(problem)"), "\(line)")
                #expect(line.contains("from=127.0.0.1"), "\(line)")
            }
            #expect(!log.contains(StandInProvider.accessToken))
            #expect(try people.site.store.activity(count: 10).allSatisfy { $0.event != .signedIn })
            // The unmodified provider still signs Ana in.
            people.provider.behaviour = Behaviour()
            let admin = try await people.signIn()
            #expect(try await admin.get("/admin").text.contains("ana@example.com"))
        }
    }

    @Test func `clocks may differ by a minute`() async throws {
        try await PeopleClient.run { people in
            var behaviour = Behaviour()
            behaviour.claims = {
                let now = Int(Date().timeIntervalSince1970)
                $0["exp"] = .integer(now - 50)
                $0["iat"] = .integer(now - 350)
            }
            people.provider.behaviour = behaviour
            let answer = try await people.finish(people.begin())
            #expect(answer.status == 200)
            behaviour.claims = { $0["iat"] = .integer(Int(Date().timeIntervalSince1970) + 50) }
            people.provider.behaviour = behaviour
            let later = try await people.finish(people.begin())
            #expect(later.status == 200)
        }
    }

    @Test func `an answer counts once, for ten minutes, and in the browser that asked`()
        async throws
    {
        try await PeopleClient.run { people in
            let begun = try await people.begin()
            #expect(begun.cookie.hasPrefix("__Host-ota_attempt="))
            let stranger = try await WireClient.get(
                people.site,
                "/sign-in/callback?code=c1&state=\(begun.state)",
            )
            #expect(stranger.text.contains("sign-in.no-state"))
            // An attacker's own sign-in, whose response is opened in another browser.
            let other = try await people.begin()
            let planted = try await people.finish(other, "code=c1&state=\(begun.state)")
            #expect(planted.text.contains("sign-in.wrong-state"))
            people.provider.begin(
                nonce: begun.query["nonce"] ?? "",
                challenge: begun.query["code_challenge"] ?? "",
            )
            #expect(try await people.finish(begun).status == 200)
            let again = try await people.finish(begun)
            #expect(again.status == 401 && again.text.contains("sign-in.used-state"))
            #expect(try people.sessionCount == 1)
            let late = try await people.begin()
            people.site.clock.advance(by: 601)
            #expect(try await people.finish(late).text.contains("sign-in.no-state"))
            let forged = PeopleClient.Begun(
                query: late.query,
                cookie: "__Host-ota_attempt=" + Base64URL.text(Array(#"{"state":"00"}"#.utf8)),
            )
            #expect(try await people.finish(forged).text.contains("sign-in.no-state"))
            #expect(try people.sessionCount == 1)
        }
    }

    @Test
    func `a provider that names its issuer must do so, and settings that changed end an attempt`()
        async throws
    {
        try await PeopleClient.run { people in
            var behaviour = Behaviour()
            behaviour.metadata["authorization_response_iss_parameter_supported"] = .boolean(true)
            people.provider.behaviour = behaviour
            let silent = try await people.finish(people.begin())
            #expect(silent.text.contains("sign-in.mixed-up"))
            let begun = try await people.begin()
            let right = try await people.finish(
                begun,
                "code=c1&state=\(begun.state)&iss=https%3A%2F%2Fid.example.com",
            )
            #expect(right.status == 200)
            let pending = try await people.begin()
            try people.site.store.changeSignIn { register in
                let old = try #require(register.settings)
                register.settings = SignInSettings(
                    issuer: try #require(IssuerURL("https://evil.example")),
                    clientID: old.clientID,
                    clientSecret: nil,
                    name: old.name,
                    roleClaim: nil,
                    grants: old.grants,
                    scopes: [],
                    changed: old.changed,
                )
            } recording: {
                []
            }
            people.site.settle()
            #expect(try await people.finish(pending).text.contains("sign-in.mixed-up"))
        }
    }

    @Test(arguments: [
        "https://evil.example/", "//evil.example", "/\\evil.example", "/admin/../apps",
        "/admin%2F..%2F", "/sign-in", "javascript:alert(1)",
    ])
    func `signing in leads to no other site`(path: String) async throws {
        try await PeopleClient.run { people in
            let query = path.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
            let answer = try await people.finish(people.begin(to: "?to=" + query))
            #expect(answer.status == 200)
            #expect(answer.text.contains("content=\"0; url=/admin\""))
        }
    }

    @Test func `keys are fetched again for a new one, but not for each made-up one`() async throws {
        try await PeopleClient.run { people in
            _ = try await people.signIn()
            let next = try PrivateKey.generate(.p256)
            var behaviour = Behaviour()
            behaviour.signer = next
            behaviour.header["kid"] = .text("two")
            let json = try JSONEncoder().encode(StandInProvider.webKey(of: next, "two"))
            behaviour.keys = [String(decoding: json, as: UTF8.self)]
            people.provider.behaviour = behaviour
            // Within a minute of the last fetch, an unknown key ID, which anyone can make up, causes no
            // fetch.
            for _ in 0..<3 {
                #expect(
                    try await people.finish(people.begin()).text.contains("sign-in.unknown-key")
                )
            }
            #expect(people.provider.calls.count { $0 == "/keys" } == 1)
            people.site.clock.advance(by: 61)
            let renewed = try await people.finish(people.begin())
            #expect(renewed.status == 200)
            #expect(people.provider.calls.count { $0 == "/keys" } == 2)
            // The key that was removed from the set is no longer accepted.
            behaviour.signer = nil
            behaviour.header["kid"] = .text("one")
            people.provider.behaviour = behaviour
            let unknown = try await people.finish(people.begin())
            #expect(unknown.text.contains("sign-in.unknown-key"))
        }
    }
}
