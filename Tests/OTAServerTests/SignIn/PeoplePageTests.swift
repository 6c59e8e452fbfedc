import Access
import Bytes
import Foundation
import HTTPCalling
import OTAServer
import Releases
import Store
import Testing

/// The page on which admins set up sign-in.
@Suite(.timeLimit(.minutes(10)))
struct PeoplePageTests {
    private static let form = [
        "issuer": StandInProvider.issuer, "client": StandInProvider.client,
        "secret": "hush-hush-hush", "name": "Example ID", "claim": "groups",
        "people": "admin=ana@example.com\r\n\r\n publisher:demo-co=sub:7 ",
        "roles": "viewer=release-team", "testers": "@example.com",
        "tester-groups": "", "tester-people": "", "scopes": "groups  offline_access",
    ]

    @Test
    func `sign-in is set, tried, replaced and removed on its page, and the secret is not shown`()
        async throws
    {
        let provider = try StandInProvider()
        try await TestSite.run(configure: { configuration, _ in configuration.providers = provider }
        ) { site in
            let admin = try await AdminClient.admin(site)
            let empty = try await admin.get("/admin/people")
            #expect(empty.status == 200 && empty.text.contains("Not set up"))
            #expect(empty.text.contains("/sign-in/back-channel-logout"))
            #expect(try await admin.get("/admin/tokens").text.contains("href=\"/admin/people\""))
            var wrong = Self.form
            wrong["people"] = "owner=ana@example.com"
            let refused = try await admin.send("/admin/people", wrong)
            #expect(refused.status == 422 && refused.text.contains("owner=ana@example.com"))
            #expect(!refused.text.contains("hush"))
            wrong["people"] = "admin=ana"
            #expect(
                try await admin.send("/admin/people", wrong).text.contains("sign-in.bad-role")
            )
            wrong = Self.form
            wrong["public"] = "on"
            #expect(try await admin.send("/admin/people", wrong).status == 422)
            #expect(try site.store.signInSettings() == nil)

            let set = try await admin.send("/admin/people", Self.form)
            let page = try await admin.shown(after: set)
            #expect(page.text.contains("sub:7") && page.text.contains("release-team"))
            #expect(page.text.contains("A secret is saved") && !page.text.contains("hush"))
            let settings = try #require(try site.store.signInSettings())
            #expect(settings.clientSecret == "hush-hush-hush")
            #expect(settings.scopes == ["groups", "offline_access"])
            #expect(settings.grants.count == 3 && settings.testers?.count == 1)
            // Without a secret in the form, the existing one is kept.
            var again = Self.form
            again["secret"] = ""
            again["testers"] = ""
            #expect(try await admin.send("/admin/people", again).status == 303)
            let replaced = try #require(try site.store.signInSettings())
            #expect(replaced.clientSecret == "hush-hush-hush" && replaced.testers == nil)

            let tried = try await admin.send("/admin/people/test")
            #expect(tried.status == 200 && tried.text.contains("The provider can be used"))
            #expect(tried.text.contains("1 key that can be used"))
            var behaviour = StandInProvider.Behaviour()
            behaviour.metadata["issuer"] = .text("https://evil.example")
            provider.behaviour = behaviour
            // Within ten seconds, the same form would count as a double click.
            site.clock.advance(by: 11)
            let failed = try await admin.send("/admin/people/test")
            #expect(failed.text.contains("cannot be used") && failed.text.contains("evil.example"))

            #expect(try await admin.post("/admin/people/remove", [:]).status == 403)
            #expect(try await admin.send("/admin/people/remove").status == 303)
            site.settle()
            #expect(try site.store.signInSettings() == nil)
        }
    }

    @Test func `sessions are ended on the page, and only by admins of everything`() async throws {
        try await PeopleClient.run(testers: [TesterGrant(to: .everyone)]) { people in
            let site = people.site
            let reader = try await AdminClient.admin(site, Scope(.publish))
            #expect(try await reader.get("/admin/people").status == 403)
            #expect(try await reader.send("/admin/people/remove").status == 403)
            let ana = try await people.signIn()
            let begun = people.begun(by: try await WireClient.get(site, "/sign-in/testers"))
            #expect(try await people.finish(begun).status == 303)
            let page = try await ana.get("/admin/people")
            #expect(page.text.contains(">You<") && page.text.contains(">Tester<"))
            #expect(page.text.contains("formaction=\"/admin/sign-out-everywhere\""))
            let few = try await ana.get("/admin/people?testers=0")
            #expect(!few.text.contains(">Tester<"))
            let tester = try #require(
                try site.store.personSessions().first { $0.purpose == .tester }
            ).identifier.prefix(12)
            #expect(try await ana.send("/admin/people/\(tester)/end").status == 303)
            #expect(try people.sessionCount == 1)
            let token = try await AdminClient.admin(site)
            let own = try #require(try site.store.personSessions().first).identifier.prefix(12)
            #expect(
                try await token.send("/admin/people/\(own)/end-everywhere").status == 303
            )
            #expect(try people.sessionCount == 0)
            #expect(try await !token.get("/admin").text.contains("sign-out-everywhere"))
        }
    }
}
