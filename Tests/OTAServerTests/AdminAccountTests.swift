import AppleDeveloper
import Cryptography
import Foundation
import OTAServer
import Releases
import Sample
import Store
import Testing

/// The developer account of a team, as an admin sets it up and uses it in the browser.
@Suite(.timeLimit(.minutes(10)))
struct AdminAccountTests {
    private static let team = DevelopmentTeam.sample.identifier
    private static let issuer = "57246542-96fe-1a63-e053-0824d011072a"

    @Test func `a team's API key is added, shown without itself, and removed`() async throws {
        let key = try PrivateKey.generate(.p256).pem
        let secret = try #require(key.split(separator: "\n").dropFirst().first)
        try await TestSite.run(configure: { configuration, folder in
            configuration.keyFile = SealingKeyFile(path: folder.appending(path: "key").path())
        }) { site in
            let admin = try await AdminClient.admin(site)
            let form = [
                "identifier": Self.team, "name": "Acme", "issuer": Self.issuer,
                "keyID": "2X9R4HXF34",
            ]
            let file = ("apiKey", "AuthKey_2X9R4HXF34.p8", key)
            let bad = try await admin.send(
                "/admin/teams",
                form.merging(["issuer": "me"]) { $1 },
                file: file,
            )
            #expect(bad.status == 422 && bad.text.contains("apple-key.issuer"))
            #expect(bad.text.contains("2X9R4HXF34") && !bad.text.contains(secret))
            let unnamed = try await admin.send(
                "/admin/teams",
                form.merging(["keyID": ""]) { $1 },
                file: ("apiKey", "key.p8", key),
            )
            #expect(unnamed.status == 422 && unnamed.text.contains("Enter the key ID"))
            let homeless = try await admin.send(
                "/admin/teams",
                form.merging(["issuer": ""]) { $1 },
                file: file,
            )
            #expect(homeless.status == 422 && homeless.text.contains("Enter the issuer ID"))
            // The file's name contains the key ID.
            let added = try await admin.send(
                "/admin/teams",
                form.merging(["keyID": ""]) { $1 },
                file: file,
            )
            #expect(try await admin.flash(by: added).contains("Team Acme added."))
            let page = try await admin.get("/admin/teams").text
            #expect(page.contains("API key 2X9R4HXF34, added on"))
            #expect(page.contains("The server changes nothing there until an admin"))
            #expect(page.contains("Compare devices") && !page.contains(secret))
            let path = "/admin/teams/\(Self.team)"
            for verb in ["check", "compare", "sync", "certificate", "account/remove"] {
                #expect(try await admin.post("\(path)/\(verb)", [:]).status == 403, "\(verb)")
            }
            for verb in ["check", "compare", "certificate"] {
                let opened = try await admin.get("\(path)/\(verb)")
                #expect(opened.status == 303, "\(verb)")
            }
            let removed = try await admin.flash(by: admin.send(path + "/account/remove"))
            #expect(removed.contains("no longer has a key for the developer account of Acme"))
            #expect(try site.store.teams().first?.account == nil)
            // Without a key, Apple gets no requests.
            for verb in ["check", "compare", "sync", "certificate", "certificate/create"] {
                let answer = try await admin.send("\(path)/\(verb)")
                #expect(answer.status == 409, "\(verb)")
                #expect(answer.text.contains("team.no-account"), "\(verb)")
                #expect(answer.text.contains("Add the team’s API key"), "\(verb)")
            }
            let log = try String(contentsOf: site.log, encoding: .utf8)
            #expect(!log.contains(secret))
        }
    }

    @Test func `an Apple that cannot be reached is a page that says so`() async throws {
        let key = try PrivateKey.generate(.p256).pem
        try await TestSite.run(configure: { configuration, folder in
            configuration.keyFile = SealingKeyFile(path: folder.appending(path: "key").path())
            // Nothing listens on this port.
            configuration.apple = AppleConnection(
                endpoint: try AppleEndpoint("https://127.0.0.1:1")
            )
        }) { site in
            let admin = try await AdminClient.admin(site)
            _ = try await admin.send(
                "/admin/teams",
                ["identifier": Self.team, "issuer": Self.issuer, "keyID": "2X9R4HXF34"],
                file: ("apiKey", "AuthKey_2X9R4HXF34.p8", key),
            )
            let answer = try await admin.send("/admin/teams/\(Self.team)/compare")
            #expect(answer.status == 503 && answer.text.contains("apple.unreachable"))
            #expect(try site.store.teams().first?.account?.agreed == nil)
        }
    }
}
