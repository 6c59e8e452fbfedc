import Access
import Bundles
import Cryptography
import Foundation
import GitRepositories
import Identifiers
import MirrorBuilds
import Mirrors
import Releases
import Store
import TestSupport
import Testing
import Versions

/// Files that builds have made, which only admins can download.
@Suite(.timeLimit(.minutes(10)))
struct AdminBuildFileTests {
    private static let build = "/admin/mirrors/demo/builds/1"

    /// Adds a build with a file of three pieces, a file that was published, and a folder.
    private static func put(_ bytes: [UInt8], in store: OTAStore) throws {
        let name = try #require(Slug("demo"))
        let date = Date(timeIntervalSince1970: 1_769_860_800)
        let mirror = Mirror(
            name: name,
            address: try MirrorAddress(checking: "https://git.example.com/team/demo.git"),
            added: date,
            by: "ana",
            tags: Mirror.defaultTags,
            branches: Mirror.defaultBranches,
        )
        try store.changeMirrors { try $0.add(mirror) }
        let commit = try #require(CommitIdentifier(String(repeating: "ab", count: 20)))
        let queue = RunQueue(of: name, in: store, at: date)
        try queue.add(RunRequest(.manual, by: "ana", reference: nil, commit: commit))
        let blob = try store.put(bytes)
        try store.changeRun(1, of: name) { run in
            run.state = .succeeded
            var kept = MirrorRun.Artifact(path: "out/odd \"name\"\n.html", outcome: .kept)
            kept.blob = blob
            var folder = MirrorRun.Artifact(path: "App.xcarchive", outcome: .notInstallable)
            folder.blob = blob
            folder.isFolder = true
            let published = MirrorRun.Artifact(path: "App.ipa", outcome: .published)
            run.artifacts = [kept, published, folder]
            run.log = blob
        }
    }

    @Test func `an admin saves what a build has kept, whole and as nothing that a browser runs`()
        async throws
    {
        try await TestSite.run { site in
            let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 * $0 / 7) }
            try Self.put(bytes, in: site.store)
            let admin = try await AdminClient.admin(site)
            let page = try await admin.get(Self.build)
            #expect(page.status == 200)
            #expect(page.text.contains("href=\"\(Self.build)/files/1\""))
            #expect(!page.text.contains("href=\"\(Self.build)/files/2\""))
            let file = try await admin.get(Self.build + "/files/1")
            #expect(file.status == 200 && file.body == bytes)
            #expect(file.fields["content-type"] == "application/octet-stream")
            #expect(file.fields["x-content-type-options"] == "nosniff")
            #expect(
                file.fields["content-disposition"] == "attachment; filename=\"odd--name--.html\""
            )
            let folder = try await admin.get(Self.build + "/files/3")
            #expect(
                folder.fields["content-disposition"]
                    == "attachment; filename=\"App.xcarchive.zip\""
            )
            for missing in ["2", "4", "0", "-1", "x", "99999999999999999999"] {
                #expect(try await admin.get(Self.build + "/files/\(missing)").status == 404)
            }
            let log = try await admin.get(Self.build + "/log")
            #expect(log.status == 200 && log.body == bytes)
            #expect(log.fields["content-type"] == "text/plain; charset=utf-8")
            #expect(log.fields["content-disposition"] == "attachment; filename=\"demo-1.log\"")
            #expect(page.text.contains("href=\"\(Self.build)/log\""))
            #expect(try await admin.get("/admin/mirrors/demo/builds/2/log").status == 404)
            #expect(try await admin.get("/admin/mirrors/other/builds/1/files/1").status == 404)
            #expect(try await admin.get("/admin/mirrors/demo/builds/2/files/1").status == 404)
        }
    }

    @Test func `nobody else does`() async throws {
        try await TestSite.run { site in
            try Self.put([1, 2, 3], in: site.store)
            let stranger = try await WireClient.get(site, Self.build + "/files/1")
            #expect(stranger.status == 401)
            #expect(try await WireClient.get(site, Self.build + "/log").status == 401)
            let app = try #require(BundleIdentifier("com.example.demo"))
            for scope in [Scope(.read), Scope(.publish, app: app)] {
                let token = try AdminClient.token(in: site.store, [scope])
                let answer = try await WireClient.get(
                    site,
                    Self.build + "/files/1",
                    fields: ["Authorization": "Bearer \(token)"],
                )
                #expect([401, 403].contains(answer.status), "\(scope) \(answer.status)")
            }
            let reader = try await AdminClient.admin(site, Scope(.read))
            #expect(try await reader.get(Self.build + "/files/1").status == 403)
        }
    }
}
