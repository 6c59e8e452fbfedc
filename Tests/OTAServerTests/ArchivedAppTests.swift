import Access
import Foundation
import Identifiers
import Releases
import Store
import Testing
import Uploads

/// Archived apps take no new builds, but their links keep working.
@Suite(.timeLimit(.minutes(10)))
struct ArchivedAppTests {
    private static let settings = [
        "title": "Demo", "slug": "demo-co", "access": "open", "listed": "1",
    ]

    @Test func `an archived app is in no list, and its links and installs keep working`()
        async throws
    {
        try await TestSite.run { site in
            let admin = try await AdminClient.admin(site)
            #expect(try await WireClient.get(site, "/").text.contains("Demo"))
            #expect(!(try await admin.get("/admin/apps").text.contains("show=archived")))
            let saved = try await admin.send(
                "/admin/apps/demo-co/settings",
                Self.settings.merging(["archived": "1"]) { $1 },
            )
            #expect(saved.status == 303, "\(saved.text)")
            site.settle()
            #expect(!(try await WireClient.get(site, "/").text.contains("/apps/demo-co")))
            let apps = try await admin.get("/admin/apps").text
            #expect(
                apps.contains("All apps are archived.") && !apps.contains("/admin/apps/demo-co\"")
            )
            #expect(apps.contains("show=archived"))
            let archive = try await admin.get("/admin/apps?show=archived").text
            #expect(archive.contains("/admin/apps/demo-co\""))
            #expect(try await admin.get("/admin/apps?show=other").status == 404)
            let page = try await admin.get("/admin/apps/demo-co").text
            #expect(
                page.contains("Archived</span>")
                    && page.contains("name=\"archived\" value=\"1\" checked")
            )
            #expect(try await WireClient.get(site, "/apps/demo-co").status == 200)
            let path = try await InstallPath.follow(site)
            #expect(try await WireClient.get(site, path.archive).status == 200)
            let entry = try #require(try site.store.activity(count: 1).first)
            #expect(entry.event == .appChanged && entry.detail?.contains("archived") == true)

            _ = try await admin.send("/admin/apps/demo-co/settings", Self.settings)
            site.settle()
            #expect(try await WireClient.get(site, "/").text.contains("/apps/demo-co"))
            let last = try #require(try site.store.activity(count: 1).first)
            #expect(last.detail == "no longer archived")
        }
    }

    @Test
    func `no build is published for an archived app, and an upload is refused before it is sent`()
        async throws
    {
        try await UploadSite.run { site in
            let app = try #require(BundleIdentifier("com.vforsh.browsey"))
            let first = try await site.begin()
            #expect(try await site.append(first, site.build, at: 0, isLast: true).status == 201)
            let newer = try UploadSite.build(by: site.authority, version: "1.1", build: "2")
            // This upload began before the app was archived.
            let late = try await site.begin {
                $0.size = newer.count
                $0.sha256 = nil
            }
            _ = try site.store.changeApp(app) { $0.isArchived = true }
            let refused = try await site.append(late, newer, at: 0, isLast: true)
            #expect(refused.status == 409 && refused.errorID == "app.archived", "\(refused.text)")
            #expect(refused.text.contains("ota apps unarchive browsey"))
            let early = try await site.offer { $0.app = app }
            #expect(early.status == 409 && early.errorID == "app.archived")
            #expect(try site.store.releaseIdentifiers(of: app).count == 1)
        }
    }
}
