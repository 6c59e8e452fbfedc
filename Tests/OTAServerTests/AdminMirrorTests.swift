import Foundation
import GitMirror
import Releases
import Store
import Testing
import Versions

/// The page of a repository that is followed.
@Suite(.timeLimit(.minutes(3)))
struct AdminMirrorTests {
    private static let page = "/admin/mirrors/demo"
    private static let first = String(repeating: "a1", count: 20)
    private static let second = String(repeating: "b2", count: 20)

    /// A mirror that nobody looks at, with a tag that was moved.
    private static func put(in store: OTAStore) throws -> Mirror {
        var mirror = Mirror(
            name: try #require(Slug("demo")),
            address: try MirrorAddress(checking: "https://git.example.com/team/demo.git"),
            added: Date(timeIntervalSince1970: 1_769_860_800),
            by: "ana",
            tags: Mirror.defaultTags,
            branches: Mirror.defaultBranches,
        )
        mirror.isPaused = true
        mirror.apps = ["com.example.*"].compactMap(ReferencePattern.init)
        let kept = mirror
        try store.changeMirrors { try $0.add(kept) }
        try store.changeFollowing(mirror.name) { following in
            following.hasLooked = true
            let reference = "refs/tags/v1.0.0"
            following.tags[reference] = first
            following.references[reference] = second
            following.moved = [reference: second]
        }
        return mirror
    }

    @Test func `a tag that moved is on the page, and built as the page showed it`() async throws {
        try await TestSite.run { site in
            let mirror = try Self.put(in: site.store)
            let admin = try await AdminClient.admin(site)
            let page = try await admin.get(Self.page).text
            #expect(page.contains("The tag v1.0.0 has moved from a1a1a1a1a1 to b2b2b2b2b2"))
            #expect(page.contains("com.example.*"))
            #expect(page.contains("no credential"))
            try site.store.changeSecrets(of: mirror.name) { $0.passwords = "glpat-secret" }
            let told = try await admin.get(Self.page).text
            #expect(told.contains("a token") && !told.contains("glpat"))

            let refused = try await admin.send(Self.page + "/builds", ["tag": "v1.0.0"])
            #expect(refused.status == 422)
            #expect(try site.store.runNumbers(of: mirror.name).isEmpty)
            // As the page had it before the tag moved again.
            for (commit, status) in [(Self.first, 422), ("yes", 422), (Self.second, 303)] {
                let form = ["tag": "v1.0.0", "rebuild": commit]
                #expect(try await admin.send(Self.page + "/builds", form).status == status)
            }
            let run = try #require(try site.store.run(1, of: mirror.name))
            #expect(run.isRebuild && run.tag == "v1.0.0" && run.commit == Self.second)
            #expect(page.contains("value=\"\(Self.second)\""))
            // Only what was built is where it belongs.
            #expect(try await admin.get(Self.page).text.contains("has moved"))
        }
    }
}
