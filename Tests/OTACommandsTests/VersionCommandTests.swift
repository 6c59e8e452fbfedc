import Foundation
import TestSupport
import Testing

/// `ota version`, as CI runs it in a real checkout.
@Suite(.timeLimit(.minutes(10)))
struct VersionCommandTests {
    private static let variables = [
        "TAG", "VERSION", "MARKETING_VERSION", "BUILD_NUMBER", "CHANNEL", "COMMIT", "NOTES",
    ]

    @Test func `a tag, a commit without one and a manual run have the versions that CI expects`()
        async throws
    {
        try await Workplace.withCheckout { place, repository in
            try await repository.git("tag", "v1.2.3")
            let tagged = try await place.json("version", "--repository", "app")
            #expect(tagged.keys.isSuperset(of: Self.variables))
            #expect(Self.variables.allSatisfy { tagged[$0].string != nil }, "all are strings")
            #expect(tagged["TAG"].string == "v1.2.3")
            #expect(tagged["VERSION"].string == "1.2.3")
            #expect(tagged["BUILD_NUMBER"].string == "1")
            #expect(tagged["CHANNEL"].string == "stable")
            let branch = try await place.json(
                "version",
                "--repository",
                "app",
                "--ref",
                "refs/heads/main",
            )
            #expect(branch["TAG"].string == "dev")
            let commit = try await repository.commit("Second")
            let dev = try await place.json("version", "--repository", "app", "--tag", "")
            #expect(dev["TAG"].string == "dev" && dev["VERSION"].string == "dev")
            #expect(dev["COMMIT"].string == commit)
            #expect(dev["NOTES"].string == "- Second")
            let manual = try await place.json(
                "version",
                "--repository",
                "app",
                "--tag",
                "v2.0.0-beta.1",
            )
            #expect(manual["VERSION"].string == "2.0.0-beta.1")
            #expect(manual["MARKETING_VERSION"].string == "2.0.0")
            #expect(manual["CHANNEL"].string == "beta")
            let pushed = try await place.json(
                "version",
                "--repository",
                "app",
                "--ref",
                "refs/tags/v1.2.3",
            )
            #expect(pushed["TAG"].string == "v1.2.3")
            #expect(pushed["remarks"].items.count == 1, "the tag is on another commit")
        }
    }

    @Test func `a shallow clone, an empty folder and a hostile tag are refused with the way out`()
        async throws
    {
        try await Workplace.withCheckout { place, repository in
            try await repository.commit("Second")
            try await TestRepository.git(
                ["clone", "--quiet", "--depth=1", "file://\(repository.path)", "shallow"],
                in: place.folder,
            )
            let shallow = try await place.refusal("version", "--repository", "shallow")
            #expect(shallow["id"].string == "version.shallow")
            #expect(shallow["fix"].string?.contains("fetch-depth: 0") == true)
            let allowed = try await place.json(
                "version",
                "--repository",
                "shallow",
                "--allow-shallow",
            )
            #expect(allowed["BUILD_NUMBER"].string == "1")
            let empty = try await place.refusal("version", "--repository", "/nonexistent")
            #expect(empty["id"].string == "version.no-repository")
            for tag in ["$(touch canary)", "-x", "--upload-pack=touch canary", "a b"] {
                let refused = try await place.refusal(
                    "version",
                    "--repository",
                    "app",
                    "--tag=\(tag)",
                )
                #expect(refused["id"].string == "tag.refused", "\(tag)")
            }
            let prefix = try await place.refusal("version", "--repository", "app", "--prefix=;x")
            #expect(prefix["id"].string == "version.bad-prefix")
        }
    }

    @Test func `what is no repository is told apart, with the way out`() async throws {
        try await Workplace.withCheckout { place, _ in
            try place.write("x", to: "file")
            for folder in ["plain", "broken", "broken/.git", "broken/ios"] {
                try FileManager.default.createDirectory(
                    at: place.folder.appending(path: folder),
                    withIntermediateDirectories: true,
                )
            }
            for (path, id, message, fix) in [
                ("nope", "version.no-repository", "no such folder", "check the path"),
                ("file", "version.no-repository", "this is a file", "that contains .git"),
                ("plain", "version.no-repository", "neither this folder", "clone"),
                ("broken", "version.unusable-repository", "git cannot work with", "clone"),
                ("broken/ios", "version.unusable-repository", "git cannot work with", "clone"),
            ] {
                let refused = try await place.refusal("version", "--repository", path)
                #expect(refused["id"].string == id, "\(path)")
                #expect(refused["message"].string?.contains(message) == true, "\(refused)")
                #expect(refused["place"].string?.hasSuffix(path) == true, "\(refused)")
                #expect(refused["fix"].string?.contains(fix) == true, "\(refused)")
            }
            let empty = try await place.ota("version", "--repository", "")
            #expect(empty.status == 64 && empty.errors.contains("--repository is empty"))
        }
    }

    @Test func `two apps in one repository are told apart by the prefix of their tags`()
        async throws
    {
        try await Workplace.withCheckout { place, repository in
            try await repository.git("tag", "browsey/v1.4.0")
            try await repository.git("tag", "simbridge/v2.0.0-rc.1")
            let refused = try await place.refusal("version", "--repository", "app")
            #expect(refused["id"].string == "version.several-prefixes")
            let browsey = try await place.json(
                "version",
                "--repository",
                "app",
                "--prefix",
                "browsey/",
            )
            #expect(browsey["VERSION"].string == "1.4.0")
            let bridge = try await place.json(
                "version",
                "--repository",
                "app",
                "--tag",
                "simbridge/v2.0.0-rc.1",
            )
            #expect(bridge["CHANNEL"].string == "rc")
        }
    }

    @Test func `changed files are noted beside the result`() async throws {
        try await Workplace.withCheckout { place, repository in
            try await repository.commit("A", ["a.txt": "a"])
            try repository.write("b", to: "a.txt")
            let told = try await place.json("version", "--repository", "app")
            #expect(told["remarks"].items.first?.string?.contains("a.txt") == true)
            let text = try await place.ota("version", "--repository", "app")
            #expect(text.errors.contains("note: files differ from the commit"))
            #expect(text.output.hasPrefix("dev on dev, build 2, from no tag\n"))
        }
    }
}
