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

/// The page of a mirror.
@Suite(.timeLimit(.minutes(10)))
struct AdminMirrorTests {
    private static let page = "/admin/mirrors/demo"

    /// Creates a repository whose tag was moved since the first sync, and a mirror of it.
    private static func put(
        in store: OTAStore,
        beside folder: URL,
    ) async throws -> (TestRepository, Mirror) {
        let work = try await TestRepository(at: folder.appending(path: "work"))
        try await work.commit("Begin", [".ota/pipeline.yml": "steps:\n  - run: \"true\"\n"])
        try await work.git("tag", "v1.0.0")
        var mirror = Mirror(
            name: try #require(Slug("demo")),
            address: try MirrorAddress(
                checking: work.path + "/.git",
                allowsFiles: true,
            ),
            added: Date(timeIntervalSince1970: 1_769_860_800),
            by: "ana",
            tags: Mirror.defaultTags,
            branches: Mirror.defaultBranches,
        )
        mirror.apps = ["com.example.*"].compactMap(ReferencePattern.init)
        let kept = mirror
        try store.changeMirrors { try $0.add(kept) }
        return (work, mirror)
    }

    private static func sync(_ admin: AdminClient, _ site: TestSite) async throws {
        let name = try #require(Slug("demo"))
        let asked = try site.store.mirrorState(name).asked ?? 0
        #expect(try await admin.send(page + "/sync", [:]).status == 303)
        for _ in 0..<600 where try site.store.mirrorState(name).answered ?? 0 <= asked {
            try await Task.sleep(for: .milliseconds(50))
        }
        #expect(try site.store.mirrorState(name).problem == nil)
    }

    @Test func `a tag that moved is on the page, and built as the page showed it`() async throws {
        try await withTemporaryFolder { folder in
            try await TestSite.run { site in
                let (work, mirror) = try await Self.put(in: site.store, beside: folder)
                let admin = try await AdminClient.admin(site)
                try await Self.sync(admin, site)
                let first = try await work.git("rev-parse", "HEAD")
                let second = try await work.commit("Go on")
                try await work.git("tag", "--force", "v1.0.0")
                try await Self.sync(admin, site)
                let page = try await admin.get(Self.page).text
                let words =
                    "The tag v1.0.0 has moved from \(first.prefix(12)) to \(second.prefix(12))"
                #expect(page.contains(words), "\(page)")
                #expect(page.contains("com.example.*"))
                #expect(page.contains("no credential"))
                try site.store.changeSecrets(of: mirror.name) { $0.passwords = "glpat-secret" }
                let credentials = try await admin.get(Self.page).text
                #expect(credentials.contains("a token") && !credentials.contains("glpat"))

                let refused = try await admin.send(Self.page + "/builds", ["tag": "v1.0.0"])
                #expect(refused.status == 409)
                let before = try site.store.runNumbers(of: mirror.name)
                // The commit that the page showed before the tag was moved again.
                for (commit, status) in [(first, 409), ("yes", 409), (second, 303)] {
                    let form = ["tag": "v1.0.0", "rebuild": commit]
                    #expect(try await admin.send(Self.page + "/builds", form).status == status)
                }
                let numbers = try site.store.runNumbers(of: mirror.name)
                #expect(numbers.count == before.count + 1)
                let run = try #require(try site.store.run(numbers[0], of: mirror.name))
                #expect(run.isRebuild && run.tag == "v1.0.0" && run.commit == second)
                #expect(page.contains("name=\"tag\" value=\"v1.0.0\""))
                #expect(page.contains("value=\"\(second)\""))
            }
        }
    }

    @Test func `a build by hand fetches first, so that what was just pushed is built`() async throws
    {
        try await withTemporaryFolder { folder in
            try await TestSite.run { site in
                let (work, mirror) = try await Self.put(in: site.store, beside: folder)
                let admin = try await AdminClient.admin(site)
                try await Self.sync(admin, site)
                let commit = try await work.commit("Pushed after the last sync")
                let answer = try await admin.send(Self.page + "/builds", ["branch": "main"])
                #expect(answer.status == 303)
                let runs = try site.store.runs(of: mirror.name, count: 9)
                #expect(runs.contains { $0.cause == .manual && $0.commit == commit }, "\(runs)")
                let unknown = try await admin.send(Self.page + "/builds", ["branch": "nothing"])
                #expect(unknown.status == 422 && unknown.text.contains("value=\"nothing\""))
                #expect(unknown.text.contains("role=\"alert\""))
                let hostile = try await admin.send(Self.page + "/builds", ["tag": "v1; id"])
                #expect(hostile.status == 422)
            }
        }
    }

    @Test func `a build whose fetch fails says so in the form, which keeps what was typed`()
        async throws
    {
        try await withTemporaryFolder { folder in
            try await TestSite.run { site in
                let (work, mirror) = try await Self.put(in: site.store, beside: folder)
                let admin = try await AdminClient.admin(site)
                try await Self.sync(admin, site)
                try FileManager.default.removeItem(atPath: work.path)
                let answer = try await admin.send(Self.page + "/builds", ["branch": "feature"])
                #expect(answer.status == 409, "\(answer.text)")
                #expect(answer.text.contains("could not be fetched, so nothing was queued"))
                #expect(answer.text.contains("value=\"feature\""))
                #expect(answer.text.contains("action=\"\(Self.page)/builds\""))
                #expect(try site.store.runNumbers(of: mirror.name).isEmpty)
            }
        }
    }

    @Test func `a paused mirror says so on its page, and has no buttons`() async throws {
        try await withTemporaryFolder { folder in
            try await TestSite.run { site in
                let (_, mirror) = try await Self.put(in: site.store, beside: folder)
                let admin = try await AdminClient.admin(site)
                try await Self.sync(admin, site)
                try site.store.changeMirrors { register in
                    try register.change(mirror.name) { $0.isPaused = true }
                }
                let words = "does not sync or build, and ignores pushes"
                // The server reads changes by others several times a second.
                for _ in 0..<600 where try await !admin.get(Self.page).text.contains(words) {
                    try await Task.sleep(for: .milliseconds(50))
                }
                let page = try await admin.get(Self.page).text
                #expect(page.contains(words))
                // The page has the button instead of the command, and nothing is built.
                #expect(page.contains("/resume\"") && !page.contains("--resume"), "\(page)")
                #expect(page.contains("No builds yet.") && !page.contains("builds what you push"))
                #expect(!page.contains("/builds\"") && !page.contains("/sync\""), "\(page)")
                let before = try site.store.mirrorState(mirror.name)
                // Later, so that it is not taken for a double click on the button that was just pressed.
                site.clock.advance(by: 11)
                for (path, form) in [("/builds", ["branch": "main"]), ("/sync", [:])] {
                    let answer = try await admin.send(Self.page + path, form)
                    #expect(answer.status == 409 && answer.text.contains(words), "\(path)")
                }
                #expect(try site.store.mirrorState(mirror.name) == before)
                #expect(try site.store.runNumbers(of: mirror.name).isEmpty)
            }
        }
    }
}
