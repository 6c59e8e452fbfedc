import Access
import Foundation
import Identifiers
import Releases
import Sample
import Store
import Testing
import Uploads

/// Uploads that are only checked and not published, as programs use them.
@Suite(.timeLimit(.minutes(10)))
struct UploadCheckTests {
    @Test func `a checked build is published by a second request, once`() async throws {
        try await UploadSite.run { site in
            let app = try #require(BundleIdentifier("com.vforsh.browsey"))
            let path = try await site.begin { $0.checkOnly = true }
            let early = try await site.send("POST", path)
            #expect(early.status == 409 && early.errorID == "upload.not-checked")
            let checked = try await site.append(path, site.build, at: 0, isLast: true)
            #expect(checked.status == 200, "\(checked.text)")
            #expect(checked.json("release") as? String == "1.0-1")
            #expect(try site.store.app(app) == nil)
            let state = try await site.send("GET", path)
            #expect(state.json("state") as? String == "checked")
            #expect(state.json("answer", "checkOnly") as? Bool == true)
            let listed = try await site.send("GET", "/api/v1/uploads")
            #expect(listed.text.contains("\"checked\""))

            let stranger = try UploadSite.token(in: site.store)
            #expect(try await site.send("POST", path, token: stranger).status == 404)
            let published = try await site.send("POST", path)
            #expect(published.status == 201, "\(published.text)")
            #expect(published.json("checkOnly") == nil)
            #expect(try site.store.app(app)?.channels[.stable] != nil)
            let again = try await site.send("POST", path)
            #expect(again.status == 201 && again.body == published.body)
        }
    }

    @Test func `the same file checked twice is kept once`() async throws {
        try await UploadSite.run { site in
            var paths: [String] = []
            for channel in ["beta", "stable"] {
                let query = "/api/v1/uploads?checkOnly=true&channel=\(channel)"
                let whole = try await site.send("POST", query, body: site.build)
                #expect(whole.status == 200, "\(whole.text)")
                paths.append(try #require(whole.fields["location"]))
            }
            var isGone = false
            for _ in 0..<100 where !isGone {
                isGone = try await site.send("GET", paths[0]).status == 404
                try await Task.sleep(for: .milliseconds(50))
            }
            #expect(isGone)
            #expect(try await site.send("GET", paths[1]).json("state") as? String == "checked")
            #expect(try site.store.backend.uploads().count == 1)
        }
    }

    @Test func `the oldest checked file gives way where the share is full`() async throws {
        let size = try UploadSite.build(by: SigningAuthority.cached()).count
        var limits = UploadLimits()
        limits.reserve = 0
        limits.quota = size + 1000
        try await UploadSite.run(limits: limits) { site in
            let path = "/api/v1/uploads?checkOnly=true"
            let whole = try await site.send("POST", path, body: site.build)
            #expect(whole.status == 200, "\(whole.text)")
            let checked = try #require(whole.fields["location"])
            // Not for a size where that would not help.
            let large = Array(try JSONEncoder().encode(UploadOffer(size: size + 1001)))
            let json = ["Content-Type": "application/json"]
            let refused = try await site.send("POST", "/api/v1/uploads", json, body: large)
            #expect(refused.status == 507)
            #expect(try await site.send("GET", checked).status == 200)
            let begun = try await site.begin { $0 = UploadOffer(size: 2000) }
            #expect(try await site.send("GET", checked).status == 404)
            #expect(try await site.send("DELETE", begun).status == 204)
        }
    }

    @Test func `a check that refuses keeps nothing, and a checked build can be dropped`()
        async throws
    {
        try await UploadSite.run { site in
            let junk = Array("no archive at all".utf8)
            let offer = UploadOffer(size: junk.count)
            let refused = try await site.begin {
                $0 = offer
                $0.checkOnly = true
            }
            #expect(try await site.append(refused, junk, at: 0, isLast: true).status == 422)
            #expect(try await site.send("GET", refused).json("state") as? String == "finished")
            #expect(try await site.send("POST", refused).status == 422)
            let path = "/api/v1/uploads?checkOnly=true"
            let whole = try await site.send("POST", path, body: site.build)
            #expect(whole.status == 200 && whole.json("checkOnly") as? Bool == true)
            let upload = try #require(whole.fields["location"])
            #expect(try await site.send("DELETE", upload).status == 204)
            #expect(try await site.send("POST", upload).status == 404)
            #expect(try site.store.backend.uploads().isEmpty)
        }
    }

    @Test func `the query of an upload says where the build came from`() async throws {
        try await UploadSite.run { site in
            let path =
                "/api/v1/uploads?branch=main&run=https://ci.example.com/42"
                + "&repository=https://git.example.com/browsey"
            #expect(try await site.send("POST", path, body: site.build).status == 201)
            let app = try #require(BundleIdentifier("com.vforsh.browsey"))
            let release = try site.store.release(
                ReleaseIdentifier(version: "1.0", build: "1"),
                of: app,
            )
            #expect(release?.origin?.branch == "main")
            #expect(release?.origin?.repository == "https://git.example.com/browsey")
            let admin = try await AdminClient.admin(site.site)
            let page = try await admin.get("/admin/apps/browsey/1.0-1").text
            #expect(page.contains("href=\"https://ci.example.com/42\""))
        }
    }
}
