import Foundation
import GitRepositories
import TestSupport
import Testing
import Versions

/// The version of a commit, determined from the tags of a real repository.
struct CheckoutFactsTests {
    private func withRepository(
        _ body: (TestRepository, Git) async throws -> Void
    ) async throws {
        try await withTemporaryFolder { folder in
            let repository = try await TestRepository(at: folder.appending(path: "app"))
            try await body(repository, Git(directory: repository.path))
        }
    }

    private func facts(
        _ git: Git,
        _ choice: TagChoice = .found(prefix: nil),
    ) async throws -> CheckoutFacts {
        try await git.versionFacts(choosing: choice)
    }

    @Test func `a tagged commit has the tag's version and the notes since the version before`()
        async throws
    {
        try await withRepository { repository, git in
            try await repository.commit("One")
            try await repository.git("tag", "v1.1.0")
            try await repository.commit("Two")
            try await repository.git("tag", "v1.2.0-beta.1")
            let commit = try await repository.commit("Three")
            try await repository.git("tag", "v1.2.0")
            let told = try await facts(git)
            #expect(
                told.facts.environment == [
                    "TAG": "v1.2.0", "VERSION": "1.2.0", "MARKETING_VERSION": "1.2.0",
                    "BUILD_NUMBER": "3", "CHANNEL": "stable", "COMMIT": commit,
                    "NOTES": "- Three\n- Two",
                ]
            )
            #expect(told.previous?.rawValue == "v1.1.0")
            #expect(told.remarks.isEmpty)
        }
    }

    @Test func `a commit without a tag and a branch are dev`() async throws {
        try await withRepository { repository, git in
            try await repository.commit("One")
            #expect(try await facts(git).facts.marketingVersion == "0.0.0")
            try await repository.git("tag", "v1.1.0")
            let branch = try await facts(git, .none(prefix: nil))
            #expect(branch.facts.isDevelopment)
            try await repository.commit("Two")
            let told = try await facts(git)
            #expect(told.facts.version == "dev")
            #expect(told.facts.marketingVersion == "1.1.0")
            #expect(told.facts.notes == "- Two")
        }
    }

    @Test func `a manual run has the tag that it was given, whether it is there or not`()
        async throws
    {
        try await withRepository { repository, git in
            try await repository.commit("One")
            try await repository.git("tag", "v1.0.0")
            try await repository.commit("Two")
            let absent = try await facts(git, .named(TagName("v2.0.0-rc.1"), prefix: nil))
            #expect(absent.facts.version == "2.0.0-rc.1")
            #expect(absent.facts.channel == "rc")
            #expect(absent.facts.notes == "- Two")
            #expect(absent.remarks.count == 1)
            #expect(absent.remarks.first?.description.contains("no tag v2.0.0-rc.1") == true)
            let elsewhere = try await facts(git, .named(TagName("v1.0.0"), prefix: nil))
            #expect(elsewhere.facts.version == "1.0.0")
            #expect(elsewhere.remarks.count == 1)
            #expect(elsewhere.remarks.first?.description.contains("v1.0.0") == true)
            await #expect(throws: VersionRefusal.self) {
                try await facts(git, .named(TagName("nightly"), prefix: nil))
            }
        }
    }

    @Test func `an annotated tag is known by its commit, and its message leads the notes`()
        async throws
    {
        try await withRepository { repository, git in
            try await repository.commit("One")
            try await repository.git("tag", "v1.0.0")
            try await repository.commit("Two")
            try await repository.git(
                "tag",
                "-a",
                "v1.1.0",
                "-m",
                "Faster scanning\n\nMuch faster.",
            )
            let told = try await facts(git)
            #expect(told.facts.tag == "v1.1.0")
            #expect(told.facts.notes == "Faster scanning\n\nMuch faster.\n\n- Two")
            try await repository.git("checkout", "--quiet", "--detach", "v1.0.0")
            #expect(try await facts(git).facts.tag == "v1.0.0")
        }
    }

    @Test func `a tag of a tag leads to a commit, and those that lead to none are passed over`()
        async throws
    {
        try await withRepository { repository, git in
            try await repository.commit("One", ["a.txt": "a"])
            try await repository.git("tag", "-a", "v1.0.0", "-m", "First")
            try await repository.git("tag", "-a", "v1.0.1", "v1.0.0", "-m", "Again")
            try await repository.git("tag", "v8.0.0", "HEAD:a.txt")
            try await repository.git("tag", "v9.0.0", "HEAD^{tree}")
            let absent = String(repeating: "12", count: 20)
            try repository.write(absent + "\n", to: ".git/refs/tags/v7.0.0")
            let told = try await facts(git)
            #expect(told.facts.tag == "v1.0.1")
            #expect(told.previous?.rawValue == "v1.0.0")
            try await repository.commit("Two")
            #expect(try await facts(git).previous?.rawValue == "v1.0.1")
        }
    }

    @Test func `commits and tags are counted on every way that leads to a commit, and on no other`()
        async throws
    {
        try await withRepository { repository, git in
            let history = (1...300).map { number in
                """
                commit refs/heads/main
                committer Ana <ana@example.com> \(1_700_000_000 + number) +0000
                data 2
                A

                """
            }
            try await TestRepository.git(
                ["fast-import", "--quiet"],
                in: repository.folder,
                input: history.joined(),
            )
            try await repository.git("tag", "v1.0.0")
            try await repository.git("checkout", "--quiet", "-b", "side", "main~250")
            try await repository.commit("Beside")
            try await repository.git("tag", "v2.0.0")
            try await repository.git("checkout", "--quiet", "main")
            #expect(try await facts(git).facts.buildNumber == 300)
            try await repository.commit("Last")
            #expect(try await facts(git).previous?.rawValue == "v1.0.0")
            try await repository.git("merge", "--quiet", "--no-edit", "side")
            let told = try await facts(git)
            #expect(told.facts.buildNumber == 303)
            #expect(told.previous?.rawValue == "v2.0.0")
            let commit = try #require(
                CommitIdentifier(try await repository.git("rev-parse", "side"))
            )
            let side = try await git.versionFacts(of: commit, choosing: .found(prefix: nil))
            #expect(side.facts.buildNumber == 51)
            #expect(side.facts.tag == "v2.0.0")
        }
    }

    @Test func `a tag's name is compared as bytes, with its marks and commas`() async throws {
        try await withRepository { repository, git in
            try await repository.commit("One")
            let names = ["\u{301}x", "a,", "b,,", "v1.0.0"]
            for name in names { try await repository.git("tag", name) }
            let told = try await facts(git)
            #expect(told.facts.tag == "v1.0.0")
            try await repository.commit("Two")
            for name in names.prefix(3) { try await repository.git("tag", "-f", name) }
            let remarks = try await facts(git).remarks
            #expect(remarks == [.noVersions(names.prefix(3).sorted())])
        }
    }

    @Test func `of several tags on a commit the highest version counts, per prefix`() async throws {
        try await withRepository { repository, git in
            try await repository.commit("One")
            for tag in ["v1.9.0", "v1.10.0", "v1.10.0-rc.1", "nightly"] {
                try await repository.git("tag", tag)
            }
            #expect(try await facts(git).facts.tag == "v1.10.0")
            try await repository.commit("Two")
            try await repository.git("tag", "browsey/v2.0.0")
            #expect(try await facts(git).facts.tag == "browsey/v2.0.0")
            try await repository.git("tag", "simbridge/v3.0.0")
            await #expect(throws: VersionRefusal.severalPrefixes(["browsey/", "simbridge/"])) {
                try await facts(git)
            }
            let told = try await facts(git, .found(prefix: "simbridge/"))
            #expect(told.facts.version == "3.0.0")
            #expect(told.previous == nil, "tags of another prefix are another app's")
        }
    }

    @Test func `what is no repository, empty or shallow says how to fix it`() async throws {
        try await withTemporaryFolder { folder in
            let plain = Git(directory: folder.path())
            await #expect(throws: CheckoutRefusal.noRepository(folder.path())) {
                try await plain.checkedOut()
            }
            let repository = try await TestRepository(at: folder.appending(path: "app"))
            let git = Git(directory: repository.path)
            await #expect(throws: CheckoutRefusal.noCommit(repository.path)) {
                try await git.checkedOut()
            }
            try await repository.commit("One")
            try await repository.commit("Two")
            try await TestRepository.git(
                ["clone", "--quiet", "--depth=1", "file://\(repository.path)", "shallow"],
                in: folder,
            )
            let shallow = Git(directory: folder.appending(path: "shallow").path())
            await #expect(throws: CheckoutRefusal.shallow(shallow.directory)) {
                try await facts(shallow)
            }
            let told = try await shallow.versionFacts(
                choosing: .found(prefix: nil),
                allowsShallow: true,
            )
            #expect(told.facts.buildNumber == 1)
            #expect(told.remarks == [.shallow])
        }
    }

    @Test func `changed files are told, those that git does not follow are not`() async throws {
        try await withRepository { repository, git in
            try await repository.commit("One", ["a.txt": "a"])
            try repository.write("new", to: "new.txt")
            #expect(try await git.changedFiles().isEmpty)
            try repository.write("b", to: "a.txt")
            #expect(try await git.changedFiles() == ["a.txt"])
        }
    }

    @Test func `programs that the checkout's own configuration names are not run`() async throws {
        try await withRepository { repository, git in
            try await repository.commit(
                "One",
                ["a.txt": "a", ".gitattributes": "* filter=evil.x"],
            )
            let canary = repository.folder.appending(path: ".git/canary").path()
            for program in ["clean", "process", "smudge"] {
                try await repository.git(
                    "config",
                    "filter.evil.x.\(program)",
                    "touch \(canary); cat",
                )
            }
            try await repository.git("config", "filter.evil.x.required", "true")
            try await repository.git("config", "core.fsmonitor", "touch \(canary)")
            try repository.write("b", to: "a.txt")
            #expect(try await git.changedFiles() == ["a.txt"])
            _ = try await facts(git)
            #expect(!FileManager.default.fileExists(atPath: canary))
        }
    }

    @Test func `a thousand hostile tags run no command and leave the version right`() async throws {
        try await withRepository { repository, git in
            let commit = try await repository.commit("One")
            try await repository.git("tag", "v1.0.0")
            let canary = repository.folder.appending(path: "canary")
            let names = Self.hostileNames(seed: 11)
            try await TestRepository.git(
                ["update-ref", "--stdin"],
                in: repository.folder,
                input: names.map { "create refs/tags/\($0) \(commit)\n" }.joined(),
            )
            let told = try await facts(git)
            #expect(told.facts.tag == "v1.0.0")
            #expect(told.facts.buildNumber == 1)
            try await repository.git("tag", "-d", "v1.0.0")
            let without = try await facts(git)
            #expect(without.facts.isDevelopment)
            #expect(without.remarks.count == 1)
            #expect(!FileManager.default.fileExists(atPath: canary.path()))
        }
    }

    /// Names that git itself accepts as references.
    private static func hostileNames(seed: UInt64) -> Set<String> {
        var generator = SeededGenerator(seed: seed)
        let pieces = [
            "--upload-pack=touch${IFS}canary;", "$(touch${IFS}canary)", "`touch${IFS}canary`",
            ";touch${IFS}canary;", "|canary", "&", "-", "--output=canary", "'", "\"", "é", "%2e",
            "#",
            "!", "v1.2.3", "=", "<x>", "{a,b}", "\u{202E}", "-v", "$IFS", "()",
        ]
        var names: Set<String> = []
        while names.count < 1000 {
            let count = Int.random(in: 1...4, using: &generator)
            let name =
                (0..<count).map { _ in pieces.randomElement(using: &generator) ?? "" }
                .joined() + "$\(names.count)"
            names.insert(name)
        }
        return names
    }
}
