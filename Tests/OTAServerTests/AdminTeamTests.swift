import Access
import Cryptography
import Foundation
import Identifiers
import OTAServer
import Releases
import Sample
import Store
import Testing

/// Teams that an admin adds and removes in the browser, in a running server.
@Suite(.timeLimit(.minutes(10)))
struct AdminTeamTests {
    private static let team = DevelopmentTeam.sample.identifier

    private func pem(_ authority: SigningAuthority) -> String {
        let identity = authority.distribution
        return identity.key.pem + identity.certificate.pem + identity.chain.pem
    }

    @Test func `a team is added with its certificate, shown without its key, and removed`()
        async throws
    {
        let authority = try SigningAuthority.cached()
        try await TestSite.run(configure: { configuration, folder in
            configuration.anchors = [authority.anchor]
            configuration.keyFile = SealingKeyFile(path: folder.appending(path: "key").path())
        }) { site in
            let admin = try await AdminClient.admin(site)
            let empty = try await admin.get("/admin/teams").text
            #expect(empty.contains("No teams yet"))
            let form = ["identifier": Self.team.lowercased(), "name": "Acme"]
            let text = pem(authority)
            let added = try await admin.send(
                "/admin/teams",
                form,
                file: ("identity", "dist.pem", text),
            )
            #expect(try await admin.flash(by: added).contains("Team Acme added."))
            let team = try #require(try site.store.teams().first)
            #expect(team.identity?.kind == .distribution)
            let page = try await admin.get("/admin/teams").text
            #expect(page.contains("Acme") && page.contains(Self.team))
            #expect(page.contains("Cannot sign: it has no profile"))
            let secret = try #require(text.split(separator: "\n").dropFirst().first)
            #expect(!page.contains(secret))
            let log = try String(contentsOf: site.log, encoding: .utf8)
            #expect(!log.contains(secret))
            // The error is shown in the form, and nothing is changed.
            let again = try await admin.send(
                "/admin/teams",
                form.merging(["name": "Another"]) { $1 },
                file: ("identity", "dist.pem", text),
            )
            #expect(again.status == 409 && again.text.contains("team.exists"))
            let bad = try await admin.send(
                "/admin/teams/\(Self.team)",
                [:],
                file: ("identity", "dist.p12", "no certificate"),
            )
            #expect(bad.status == 422 && bad.text.contains("identity.unknown-format"))
            let path = "/admin/teams/\(Self.team)/remove"
            #expect(try await admin.post(path, [:]).status == 403)
            let removed = try await admin.flash(by: admin.send(path))
            #expect(removed.contains("Team Acme removed with its private key."))
            #expect(try site.store.teams().isEmpty)
        }
    }

    @Test func `a server without a key file keeps no private key, and says so`() async throws {
        let authority = try SigningAuthority.cached()
        try await TestSite.run(configure: { configuration, _ in
            configuration.anchors = [authority.anchor]
        }) { site in
            let admin = try await AdminClient.admin(site)
            let page = try await admin.get("/admin/teams").text
            #expect(page.contains("without a key file"))
            let answer = try await admin.send(
                "/admin/teams",
                ["identifier": Self.team],
                file: ("identity", "dist.pem", pem(authority)),
            )
            #expect(answer.status == 503 && answer.text.contains("team.no-key-file"))
            #expect(try site.store.teams().isEmpty)
        }
    }

    @Test(arguments: ["no key file", "another key", "a key file that is gone"])
    func `private keys that do not open are said at the start and on the dashboard`(
        _ cause: String
    ) async throws {
        let authority = try SigningAuthority.cached()
        let team = try #require(TeamIdentifier(Self.team))
        try await TestSite.run(configure: { configuration, folder in
            let store = try OTAStore.open(at: folder.appending(path: "store").path())
            var acme = Team(team, name: "Acme", added: Date(), addedBy: "ada")
            acme.identity = TeamIdentity(
                authority.distribution,
                of: team,
                sealedWith: SealingKey(random: randomBytes),
            )
            _ = try store.add(acme)
            let file = folder.appending(path: "key")
            if cause != "no key file" { configuration.keyFile = SealingKeyFile(path: file.path()) }
            if cause == "another key" {
                _ = try configuration.keyFile?.keyOrNew(for: store)
            }
        }) { site in
            let log = try await site.logText()
            let lines = log.split(separator: "\n").filter { $0.contains("cannot be opened") }
            #expect(lines.count == 1, "\(log)")
            #expect(lines.first?.contains("Acme (\(Self.team))") == true)
            let admin = try await AdminClient.admin(site)
            let page = try await admin.get("/admin").text
            #expect(page.contains("Private key of Acme (\(Self.team)) cannot be opened"))
            let reader = try await AdminClient.admin(site, Scope(.read))
            #expect(try await !reader.get("/admin").text.contains("cannot be opened"))
        }
    }

    @Test func `private keys that open are not mentioned`() async throws {
        let authority = try SigningAuthority.cached()
        let team = try #require(TeamIdentifier(Self.team))
        try await TestSite.run(configure: { configuration, folder in
            let store = try OTAStore.open(at: folder.appending(path: "store").path())
            let file = SealingKeyFile(path: folder.appending(path: "key").path())
            configuration.keyFile = file
            var acme = Team(team, name: "Acme", added: Date(), addedBy: "ada")
            acme.identity = TeamIdentity(
                authority.distribution,
                of: team,
                sealedWith: try file.keyOrNew(for: store).key,
            )
            _ = try store.add(acme)
            let bare = try #require(TeamIdentifier("ABCDE12345"))
            _ = try store.add(Team(bare, name: "Bare", added: Date(), addedBy: "ada"))
        }) { site in
            #expect(try await !site.logText().contains("cannot be opened"))
            let admin = try await AdminClient.admin(site)
            #expect(try await !admin.get("/admin").text.contains("cannot be opened"))
        }
    }
}
