import APIDocuments
import Access
import Foundation
import Identifiers
import OTAServer
import Releases
import Store
import Testing

/// An app that was added before its first build, in the API and on pages.
@Suite(.timeLimit(.minutes(10)))
struct AppWithoutBuildTests {
    private static let app = #"{"app": "com.example.early", "title": "Early <b>"}"#

    @Test func `the API adds it, once, for an admin`() async throws {
        try await TestSite.run { site in
            let admin = try APIClient.holding("admin", on: site)
            let added = try await admin.post("/apps", Self.app)
            #expect(added.status == 201)
            let location = try #require(added.wire.fields["location"])
            #expect(location.hasSuffix("/api/v1/apps/com.example.early"))
            let shown = try await admin.get("/apps/early-b").document(AppDocument.self)
            #expect(try added.document(AppDocument.self) == shown)
            #expect(shown.app.title == "Early <b>" && shown.app.channels.isEmpty)
            #expect(try await admin.post("/apps", Self.app).refusal == "app.exists")
            let both = try await admin.get("/apps").document(AppsDocument.self)
            #expect(both.apps.map(\.app) == ["com.example.demo", "com.example.early"])
            for path in ["/releases", "/installs"] {
                #expect(try await admin.get("/apps/early-b" + path).status == 200, "\(path)")
            }
            for body in [
                "{}", #"{"app": "no identifier"}"#, #"{"app": "com.a.b", "name": "x"}"#,
                #"{"app": "com.a.b", "title": ""}"#, #"{"app": "com.a.b", "signing": "automatic"}"#,
                #"{"app": "com.a.b", "access": "passphrase"}"#, #"{"app": "com.a.b", "team": 5}"#,
            ] {
                let refused = try await admin.post("/apps", body)
                #expect([400, 422].contains(refused.status), "\(body)")
                #expect(refused.refusal != nil, "\(body)")
            }
            let teamless = #"{"app": "com.a.b", "team": "AAAAAAAAAA"}"#
            #expect(try await admin.post("/apps", teamless).refusal == "team.unknown")
            #expect(try site.store.apps().count == 2)
            for scope in ["read", "publish", "publish:com.example.early"] {
                let other = try APIClient.holding(scope, on: site)
                #expect(try await other.post("/apps", Self.app).status == 403, "\(scope)")
            }
        }
    }

    @Test func `no page breaks, and its own says that there is no build yet`() async throws {
        try await TestSite.run { site in
            let client = try APIClient.holding("admin", on: site)
            #expect(try await client.post("/apps", Self.app).status == 201)
            let page = try await WireClient.get(site, "/apps/early-b")
            #expect(page.status == 200)
            #expect(page.text.contains("Early &lt;b&gt;"))
            #expect(page.text.contains("Nothing has been published yet."))
            #expect(!page.text.contains("itms-services"))
            let start = try await WireClient.get(site, "/")
            #expect(start.status == 200 && start.text.contains("Demo &amp; Co"))
            #expect(!start.text.contains("Early"))
            #expect(try await WireClient.get(site, "/apps/early-b/history").status == 200)
            #expect(try await WireClient.get(site, "/apps/early-b/qr.svg").status == 200)
            for path in ["/icon.png", "?channel=beta", "/1.0-1"] {
                #expect(try await WireClient.get(site, "/apps/early-b" + path).status == 404)
            }
            let admin = try await AdminClient.admin(site)
            for path in ["", "/apps", "/profiles", "/activity", "/apps/early-b/devices"] {
                #expect(try await admin.get("/admin" + path).status == 200, "\(path)")
            }
            let shown = try await admin.get("/admin/apps/early-b")
            #expect(shown.status == 200)
            #expect(shown.text.contains("No build has been published yet."))
            let list = try await admin.get("/admin/apps").text
            #expect(list.contains("No build has been published yet."))
            #expect(!list.contains("0 releases"))
            #expect(try await admin.get("/admin/activity").text.contains("added the app"))
            // A closed app does not reveal even that.
            let identifier = try #require(BundleIdentifier("com.example.early"))
            try site.store.changeApp(identifier) { $0.access = .enrolled }
            var closed = try await WireClient.get(site, "/apps/early-b")
            for _ in 0..<200 where closed.status != 403 {
                // The server notices changes by others within a second.
                try await Task.sleep(for: .milliseconds(50))
                closed = try await WireClient.get(site, "/apps/early-b")
            }
            #expect(closed.status == 403 && !closed.text.contains("Nothing has been published"))
        }
    }

    @Test func `an admin adds it in the browser, with its team`() async throws {
        try await TestSite.run { site in
            let team = try #require(TeamIdentifier("ABCDE12345"))
            let admin = try await AdminClient.admin(site)
            #expect(try await !admin.get("/admin/apps").text.contains("name=\"automatic\""))
            let acme = Team(team, name: "Acme", added: Date(), addedBy: "ada")
            #expect(try site.store.add(acme))
            let form = try await admin.get("/admin/apps").text
            #expect(form.contains("action=\"/admin/apps\"") && form.contains(">Acme</option>"))
            for (identifier, status) in [
                ("", 422), ("no identifier", 422), ("com.example.demo", 409),
            ] {
                let refused = try await admin.send(
                    "/admin/apps",
                    ["identifier": identifier, "title": "Early & late"],
                )
                #expect(refused.status == status, "\(identifier)")
                #expect(refused.text.contains("role=\"alert\""))
                #expect(refused.text.contains("value=\"Early &amp; late\""), "what was typed")
            }
            let fields = [
                "identifier": "com.example.early", "title": "", "team": "ABCDE12345",
                "automatic": "1",
            ]
            let added = try await admin.send("/admin/apps", fields)
            #expect(added.fields["location"] == "/admin/apps/early")
            #expect(try await admin.flash(by: added).contains("early added"))
            let identifier = try #require(BundleIdentifier("com.example.early"))
            let app = try #require(try site.store.app(identifier))
            #expect(app.team == team && app.signing == .automatic)
            let settings = ["title": "early", "access": "open", "automatic": "1", "team": "none"]
            let teamless = try await admin.send("/admin/apps/early/settings", settings)
            #expect(teamless.status == 422 && teamless.text.contains("team.none-for-signing"))
            #expect(try site.store.app(identifier)?.team == team)
            #expect(try await admin.post("/admin/apps", fields).status == 403, "no code")
            let reader = try await AdminClient.admin(site, Scope(.read))
            #expect(try await !reader.get("/admin/apps").text.contains("id=\"new\""))
            #expect(try await reader.send("/admin/apps", fields).status == 403)
        }
    }
}
