import API
import APIDocuments
import Foundation
import SiteServices
import Store
import Testing

/// Clients without admin rights do not learn from the server's errors where its store is, or which other apps
/// it has.
struct StoreSecrecyTests {
    @Test func `no token but an admin's learns where the store is`() async throws {
        try await TestSite.run { site in
            let reader = try APIClient.holding("read", on: site)
            let publisher = try APIClient.holding("publish:demo-co", on: site)
            let guesser = APIClient(site: site, secret: "ota_guess")
            let root = site.folder.path() + "/store"
            // Their tokens are in memory before the store is gone.
            for client in [reader, publisher] {
                #expect(try await client.get("/apps/demo-co").status == 200)
            }
            try FileManager.default.removeItem(atPath: root + "/store.json")
            site.settle()
            for client in [reader, publisher, guesser] {
                let answer = try await client.get("/apps/demo-co/releases")
                #expect(!answer.wire.text.contains(site.folder.path()))
            }
            try FileManager.default.moveItem(atPath: root, toPath: root + "-away")
            site.settle()
            for client in [reader, publisher, guesser] {
                for path in ["/apps", "/apps/demo-co/releases", "/uploads/none"] {
                    let answer = try await client.get(path)
                    #expect(answer.status == 503, "\(path)")
                    #expect(answer.refusal == "server.unavailable", "\(path)")
                    #expect(!answer.wire.text.contains(site.folder.path()), "\(path)")
                }
            }
        }
    }

    @Test func `a token for another app does not learn which app is damaged`() async throws {
        try await TestSite.run { site in
            let admin = try APIClient.holding("admin", on: site)
            let stranger = try APIClient.holding("read:com.example.other", on: site)
            try Data().write(
                to: URL(filePath: site.folder.path() + "/store/apps/com.example.demo/app.json")
            )
            site.settle()
            #expect(try await admin.get("/apps/demo-co").refusal == "store.unreadable")
            let answer = try await stranger.get("/apps/demo-co")
            #expect(answer.refusal == "server.unavailable")
            #expect(!answer.wire.text.contains("com.example.demo"))
        }
    }

    @Test func `a full disk keeps its identifier and loses its path`() {
        let path = "/srv/ota/store/tokens.json"
        let failure = StoreFailure.system(SystemFailure("write", path, code: ENOSPC))
        let shown = ProblemDocument(Refusal.hidingPaths(of: failure, from: nil))
        #expect(shown.status == 507 && shown.id == "store.no-space")
        #expect(
            shown.place.isEmpty && !shown.detail.contains("/srv") && !shown.fix.contains("/srv")
        )
    }
}
