import APIDocuments
import Access
import Administration
import Foundation
import Releases
import Store
import TestSupport
import Testing

/// A token is replaced by one with the same name, scopes and lifetime: by the API, a page and a command.
@Suite(.timeLimit(.minutes(10)))
struct TokenRotationTests {
    private static let scope = "publish:com.example.demo"

    /// A token for CI that was created ten days ago for ninety days.
    private static func ci(of site: TestSite) throws -> AccessToken {
        let made = site.clock.now
        let admin = Administrator(of: site.store, named: "test", clock: { made })
        let token = try admin.createToken(
            NewToken(
                name: "ci",
                scopes: [scope],
                expires: made.addingTimeInterval(90 * 86_400),
            )
        ).token
        site.clock.advance(by: 10 * 86_400)
        return token
    }

    /// The current holder of a secret.
    private static func holder(of secret: String, _ site: TestSite) throws -> Principal {
        try site.store.tokens().principal(showing: secret, at: site.clock.now)
    }

    @Test func `the API answers with a new secret, and the old token is over`() async throws {
        try await TestSite.run { site in
            let old = try Self.ci(of: site)
            let admin = try APIClient.holding("admin", on: site)
            let answer = try await admin.post("/tokens/ci/rotate")
            #expect(answer.status == 201)
            let document = try answer.document(CreatedTokenDocument.self)
            let holder = try Self.holder(of: #require(document.secret), site)
            #expect(holder.name == "ci")
            #expect(holder.scopes.map(\.description) == [Self.scope])
            #expect(document.token.identifier == holder.token)
            let tokens = try site.store.tokens()
            #expect(tokens[old.identifier]?.revoked != nil)
            let end = try #require(document.token.expires)
            #expect(abs(end.timeIntervalSince(site.clock.now) - 90 * 86_400) < 60)
            let activity = try site.store.activity(count: 2)
            #expect(activity.map(\.event) == [.tokenCreated, .tokenRevoked])
            #expect(activity.map(\.subject) == ["ci", "ci"])
            let absent = try await admin.post("/tokens/nobody/rotate")
            #expect((absent.status, absent.refusal) == (404, "token.unknown"))
        }
    }

    @Test func `a token that has expired is made anew, and one that was revoked is not`()
        async throws
    {
        try await TestSite.run { site in
            _ = try Self.ci(of: site)
            let admin = Administrator(of: site.store, named: "test", clock: { site.clock.now })
            let local = LocalAdministration(admin)
            site.clock.advance(by: 100 * 86_400)
            let anew = try local.perform(RotateToken("ci"))
            #expect(try Self.holder(of: #require(anew.secret), site).name == "ci")
            _ = try local.perform(RevokeToken("ci"))
            #expect(throws: TokenRefusal.unknown) {
                try local.perform(RotateToken(anew.token.identifier))
            }
        }
    }

    @Test func `a page shows the new secret once, and does not offer it for the own token`()
        async throws
    {
        try await TestSite.run { site in
            let old = try Self.ci(of: site)
            let admin = try await AdminClient.admin(site)
            let page = try await admin.get("/admin/tokens").text
            #expect(page.contains("/admin/tokens/\(old.identifier)/rotate"))
            #expect(page.components(separatedBy: "/rotate\"").count == 2)
            let answer = try await admin.send("/admin/tokens/\(old.identifier)/rotate")
            let shown = try await admin.shown(after: answer).text
            let start = try #require(shown.range(of: "<code>ota_")).lowerBound
            let secret = String(shown[start...].dropFirst(6).prefix { $0 != "<" })
            #expect(try Self.holder(of: secret, site).name == "ci")
            #expect(try await !admin.get("/admin/tokens").text.contains(secret))
        }
    }

    // Options: tokens rotate: file
    @Test func `the command replaces a file with the old secret, and no other`() async throws {
        try await TestSite.run { site in
            let old = try Self.ci(of: site)
            let program = try #require(Program(built: "ota"), "ota was not built beside the tests")
            let file = site.folder.appending(path: "new.token")
            let command = [
                "tokens", "rotate", "ci", "--file", file.path(), "--store",
                site.folder.appending(path: "store").path(),
            ]
            let rotated = try await program.run(command, in: site.folder)
            #expect(rotated.status == 0, "\(rotated.errors)")
            #expect(rotated.output.hasPrefix("Rotated the token ci"), "\(rotated.output)")
            let text = try String(contentsOf: file, encoding: .utf8)
            #expect(!rotated.output.contains(text.trimmingCharacters(in: .newlines)))
            let holder = try Self.holder(of: text.trimmingCharacters(in: .newlines), site)
            #expect(holder.name == "ci")
            #expect(holder.token != old.identifier)
            let again = try await program.run(command, in: site.folder)
            #expect(again.status == 0, "\(again.errors)")
            let newer = try String(contentsOf: file, encoding: .utf8)
            #expect(newer != text)
            let after = newer.trimmingCharacters(in: .newlines)
            #expect(try Self.holder(of: after, site).name == "ci")
            // A secret that has already expired, and a text that is none.
            for other in [text, "notes\n"] {
                try Data(other.utf8).write(to: file)
                let refused = try await program.run(command, in: site.folder)
                #expect(refused.status != 0 && refused.errors.contains("already exists"))
                #expect(try String(contentsOf: file, encoding: .utf8) == other)
            }
            #expect(try Self.holder(of: after, site).name == "ci")
        }
    }
}
