import Foundation
import OTAServer
import Releases
import Store
import Testing

/// Lists as files, over the API and on the admin's pages.
@Suite(.timeLimit(.minutes(10)))
struct ExportTests {
    /// Returns the whole body of a response without a length.
    private static func get(
        _ site: TestSite,
        _ path: String,
        _ field: String,
    ) async throws -> (status: Int, head: String, body: String) {
        try await WireClient.secure(site) { client in
            try await client.send(
                "GET \(path) HTTP/1.1\r\nHost: localhost\r\n\(field)\r\nConnection: close\r\n\r\n"
            )
            let text = String(decoding: await client.rest(), as: UTF8.self)
            let parts = text.components(separatedBy: "\r\n\r\n")
            let status = Int(text.split(separator: " ").dropFirst().first ?? "") ?? 0
            return (status, parts[0].lowercased(), parts.dropFirst().joined(separator: "\r\n\r\n"))
        }
    }

    @Test func `the API and the pages hand out the same files, to admins of all apps alone`()
        async throws
    {
        try await TestSite.run { site in
            let ana = try TestTester(TestTester.ana, of: site)
            try ana.join(site, named: "=Ana")
            try site.store.record(
                InstallAttempt(
                    app: site.release.bundleIdentifier,
                    release: site.release.identifier,
                    device: ana.reference,
                    began: site.clock.now,
                    ended: site.clock.now,
                    outcome: .downloaded,
                    sent: 300_000,
                )
            )
            site.settle()
            let admin = try APIClient.holding("admin", on: site)
            let other = try APIClient.holding("publish:com.example.demo", on: site)
            let page = try await AdminClient.admin(site)
            let token = "Authorization: Bearer \(admin.secret ?? "")"
            let limited = "Authorization: Bearer \(other.secret ?? "")"
            let cookie = "Cookie: __Host-ota_admin=\(page.cookie)"
            for (name, content) in [
                ("installs.csv", ",1.2.0-34,downloaded,300000,\(ana.reference),'=Ana"),
                ("activity.csv", ",'=Ana,"), ("devices.csv", "'=Ana,iphone,"),
            ] {
                let file = try await Self.get(site, "/api/v1/\(name)", token)
                #expect(file.status == 200)
                #expect(file.head.contains("content-type: text/csv; charset=utf-8; header=present"))
                #expect(file.head.contains("attachment; filename=\"\(name)\""))
                #expect(file.body.contains(content), "\(file.body)")
                let same = try await Self.get(site, "/admin/export/\(name)", cookie)
                #expect(same.status == 200)
                #expect(same.body.contains(content))
                #expect(try await Self.get(site, "/api/v1/\(name)", limited).status == 403)
                #expect(try await Self.get(site, "/admin/export/\(name)", "A: b").status == 401)
            }
            // Their size is known only once they have been sent.
            let sizes = try await site.logText().matches(of: /\.csv.* status=200 .*bytes=([0-9]+)/)
                .compactMap { Int($0.1) }
            #expect(sizes.count == 6 && sizes.allSatisfy { $0 > 40 }, "\(sizes)")
            let all = try site.store.activity(count: 1_000)
            let actor = try #require(all.first?.actor)
            let wanted = all.count { $0.actor == actor }
            let plain = CharacterSet.alphanumerics
            let typed = actor.addingPercentEncoding(withAllowedCharacters: plain) ?? ""
            for (query, count) in [
                ("actor=\(typed)", wanted), ("actor=nobody", 0), ("to=2000-01-01", 0),
            ] {
                for path in [
                    "/admin/export/activity.csv?\(query)&app=&kind=",
                    "/api/v1/activity.csv?\(query)",
                ] {
                    let field = path.hasPrefix("/admin") ? cookie : token
                    let lines = try await Self.get(site, path, field).body
                        .components(separatedBy: "\r\n").filter { $0.contains(",") }
                    #expect(lines.count == count + 1, "\(path)")
                    #expect(lines.dropFirst().allSatisfy { $0.contains(actor) }, "\(path)")
                }
            }
            for query in ["kind=nothing", "from=yesterday", "actor=", "days=0"] {
                let answer = try await Self.get(site, "/api/v1/activity.csv?\(query)", token)
                #expect(answer.status == 400, "\(query)")
            }
            let own = try await Self.get(site, "/api/v1/apps/demo-co/installs.csv?days=7", token)
            #expect(own.status == 200 && own.body.contains("'=Ana"))
            let of = try await Self.get(site, "/admin/export/installs.csv?app=demo-co", cookie)
            #expect(of.body.contains("'=Ana"))
            #expect(
                try await Self.get(site, "/admin/export/installs.csv?app=none", cookie).status
                    == 404
            )
            #expect(try await Self.get(site, "/api/v1/installs.csv?days=0", token).status == 400)
            let activity = try await page.get("/admin/activity").text
            #expect(activity.contains("href=\"/admin/export/activity.csv\""))
            #expect(
                try await page.get("/admin/devices").text
                    .contains("href=\"/admin/export/devices.csv\"")
            )
        }
    }
}
