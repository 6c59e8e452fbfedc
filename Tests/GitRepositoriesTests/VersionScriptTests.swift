import Foundation
import GitRepositories
import TestSupport
import Testing
import Versions

/// `docs/ci/version.sh`, which determines the same version as `ota version` on Macs without ota.
struct VersionScriptTests {
    private static let script = URL(filePath: #filePath)
        .appending(path: "../../../docs/ci/version.sh").standardizedFileURL.path()

    /// The script's output for a checkout; nil if it refuses.
    private static func said(
        in folder: URL,
        _ environment: [String: String] = [:],
    ) async throws -> (facts: [String: String]?, errors: String) {
        let foreign = ProcessInfo.processInfo.environment.keys.filter { $0 != "PATH" }.sorted()
        let own = environment.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        let outcome = try await Program(path: "/usr/bin/env").run(
            foreign.flatMap { ["-u", $0] } + own + ["/bin/sh", script],
            in: folder,
        )
        guard outcome.status == 0 else { return (nil, outcome.errors) }
        let pairs = outcome.output.split(separator: "\n").map { line in
            let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (String(parts[0]), String(parts[1]))
        }
        return (Dictionary(uniqueKeysWithValues: pairs), outcome.errors)
    }

    /// The output of `ota version`; nil if it refuses.
    private static func expected(
        of commit: String,
        in folder: URL,
        _ choice: TagChoice,
    ) async throws -> [String: String]? {
        let identifier = try #require(CommitIdentifier(commit))
        let git = Git(directory: folder.path(percentEncoded: false))
        do {
            let facts = try await git.versionFacts(of: identifier, choosing: choice).facts
            return facts.environment.filter { $0.key != "NOTES" }
        } catch is VersionRefusal {
            return nil
        }
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `any repository has the version that ota gives it`(seed: UInt64) async throws {
        var random = SeededWords(seed: seed)
        try await withTemporaryFolder { folder in
            for number in 0..<5 {
                let place = folder.appending(path: "\(number)")
                let repository = try await TestRepository(at: place)
                var commit = ""
                var tags: [String] = []
                for step in 0..<random.count(1...3) {
                    commit = try await repository.commit("Step \(step)")
                    for _ in 0..<random.count(0...3) {
                        let name = random.tag()
                        // Names that git does not accept, or that already exist.
                        guard (try? await repository.git("tag", name)) != nil else { continue }
                        tags.append(name)
                    }
                }
                for _ in 0..<4 {
                    let prefix = random.one(of: [nil, nil, "browsey/", "browsey-", "a/"])
                    let name = random.one(of: tags + [random.tag()])
                    let (variables, choice) = random.choice(name, prefix: prefix)
                    guard let choice else { continue }
                    var environment = variables
                    environment["OTA_PREFIX"] = prefix
                    let (facts, errors) = try await Self.said(in: place, environment)
                    let expected = try await Self.expected(of: commit, in: place, choice)
                    #expect(facts == expected, "seed \(seed): \(environment) \(tags) \(errors)")
                }
            }
        }
    }

    /// The variables of each CI system for a tag and for a branch.
    private static let systems: [(tag: [String: String], branch: [String: String])] = [
        (
            ["GITHUB_ACTIONS": "true", "GITHUB_REF": "refs/tags/v1.2.0"],
            ["GITHUB_ACTIONS": "true", "GITHUB_REF": "refs/heads/main"],
        ),
        (
            ["GITLAB_CI": "true", "CI_COMMIT_TAG": "v1.2.0", "CI_COMMIT_REF_NAME": "v1.2.0"],
            ["GITLAB_CI": "true", "CI_COMMIT_REF_NAME": "main"],
        ),
        (
            ["JENKINS_URL": "https://ci", "TAG_NAME": "v1.2.0", "BRANCH_NAME": "v1.2.0"],
            ["JENKINS_URL": "https://ci", "BRANCH_NAME": "main"],
        ),
        (
            ["BITRISE_IO": "true", "BITRISE_GIT_TAG": "v1.2.0"],
            ["BITRISE_IO": "true", "BITRISE_GIT_BRANCH": "main"],
        ),
        (
            ["CI_XCODE_CLOUD": "TRUE", "CI_TAG": "v1.2.0"],
            ["CI_XCODE_CLOUD": "TRUE", "CI_BRANCH": "main"],
        ),
        (["OTA_TAG": "v1.2.0"], ["OTA_TAG": "dev"]),
    ]

    @Test func `a branch of every system is a dev build even on a tagged commit`() async throws {
        try await withTemporaryFolder { folder in
            let repository = try await TestRepository(at: folder)
            try await repository.commit("Begin")
            try await repository.git("tag", "v1.2.0")
            try await repository.git("tag", "v1.3.0-beta.1")
            for (tag, branch) in Self.systems {
                let tagged = try await Self.said(in: folder, tag)
                #expect(tagged.facts?["VERSION"] == "1.2.0", "\(tag): \(tagged.errors)")
                #expect(tagged.facts?["CHANNEL"] == "stable")
                let pushed = try await Self.said(in: folder, branch)
                #expect(pushed.facts?["TAG"] == "dev", "\(branch): \(pushed.errors)")
                #expect(pushed.facts?["MARKETING_VERSION"] == "1.3.0")
            }
        }
    }

    @Test func `a shallow clone is refused with the setting of each system`() async throws {
        try await withTemporaryFolder { folder in
            let repository = try await TestRepository(at: folder.appending(path: "upstream"))
            try await repository.commit("Begin")
            try await repository.commit("Go on")
            try await TestRepository.git(
                ["clone", "--quiet", "--depth", "1", "file://" + repository.path, "clone"],
                in: folder,
            )
            let (facts, errors) = try await Self.said(in: folder.appending(path: "clone"))
            #expect(facts == nil)
            for setting in ["fetch-depth: 0", "GIT_DEPTH: 0", "git fetch --unshallow --tags"] {
                #expect(errors.contains(setting), "\(errors)")
            }
        }
    }

    @Test func `what has no version is refused in a sentence`() async throws {
        try await withTemporaryFolder { folder in
            let none = try await Self.said(in: folder)
            #expect(none.facts == nil && none.errors.contains("is not a git checkout"))
            let repository = try await TestRepository(at: folder)
            let empty = try await Self.said(in: folder)
            #expect(empty.facts == nil && empty.errors.contains("has no commit yet"))
            try await repository.commit("Begin")
            let tag = try await Self.said(in: folder, ["OTA_TAG": "nightly"])
            #expect(tag.facts == nil && tag.errors.contains("the tag nightly names no version"))
            let prefix = try await Self.said(in: folder, ["OTA_PREFIX": "-x"])
            #expect(prefix.facts == nil && prefix.errors.contains("OTA_PREFIX"))
            try await repository.git("tag", "browsey/v1.0.0")
            try await repository.git("tag", "pare/v2.0.0")
            let several = try await Self.said(in: folder)
            #expect(several.facts == nil && several.errors.contains("several apps"))
            let hostile = "v1.0.0$(touch${IFS}canary)"
            try await repository.git("tag", hostile)
            let named = try await Self.said(in: folder, ["OTA_TAG": hostile])
            #expect(named.facts == nil && named.errors.contains("characters other than"))
            let canary = folder.appending(path: "canary").path()
            #expect(!FileManager.default.fileExists(atPath: canary))
        }
    }
}

/// Pseudorandom tags and choices, the same for the same seed.
private struct SeededWords {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func count(_ range: ClosedRange<Int>) -> Int {
        // SplitMix64.
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return range.lowerBound + Int((value ^ (value >> 31)) % UInt64(range.count))
    }

    mutating func one<Value>(of values: [Value]) -> Value {
        values[count(0...(values.count - 1))]
    }

    mutating func tag() -> String {
        guard count(0...11) > 0 else {
            return one(of: ["nightly", "v", "x@y", "vé1.0", "q/v1.0;x", "v1.0'", "v1.0-", "dev-1"])
        }
        let numbers = ["0", "1", "2", "9", "10", "123456789", "1234567890", "01"]
        let words = [
            "beta", "beta4", "rc", "1", "2", "10", "007", "Beta", "-x", "stable", "a-b", "beta-2",
        ]
        var text = one(of: ["", "", "", "browsey/", "pare/", "a/b/", "browsey-"])
        text += one(of: ["v", "v", "V", ""])
        text += (0..<one(of: [1, 2, 3, 3, 3, 4])).map { _ in one(of: numbers) }
            .joined(separator: ".")
        if count(0...1) == 0 {
            text += "-" + (0..<count(1...3)).map { _ in one(of: words) }.joined(separator: ".")
        }
        return text + one(of: ["", "", "", "", "", "+5", "+001.a"])
    }

    /// Variables of a job, and their meaning; nil if the name cannot be a tag.
    mutating func choice(
        _ name: String,
        prefix: String?,
    ) -> (variables: [String: String], choice: TagChoice?) {
        switch count(0...3) {
        case 0: ([:], .found(prefix: prefix))
        case 1: (["GITLAB_CI": "true", "CI_COMMIT_REF_NAME": "main"], .none(prefix: prefix))
        default:
            (
                ["GITHUB_ACTIONS": "true", "GITHUB_REF": "refs/tags/" + name],
                (try? TagName(name)).map { .named($0, prefix: prefix) },
            )
        }
    }
}
