import Foundation
import GitRepositories
import Identifiers
import Mirrors
import Releases
import Testing
import Versions

@Suite struct SyncPlanTests {
    private static let first = String(repeating: "a", count: 40)
    private static let second = String(repeating: "b", count: 40)

    private static func mirror() throws -> Mirror {
        Mirror(
            name: try #require(Slug("app")),
            address: try MirrorAddress(checking: "https://git.example.com/team/app.git"),
            added: Date(timeIntervalSince1970: 0),
            by: "ana",
            tags: Mirror.defaultTags,
            branches: Mirror.defaultBranches,
        )
    }

    private static func plan(
        _ references: [String: String],
        after before: [String: String]? = [:],
    ) throws -> SyncPlan {
        var state = MirrorState()
        state.hasSynced = before != nil
        state.references = before ?? [:]
        let found = try references.sorted { $0.key < $1.key }.map { name, commit in
            BareRepository.Reference(name: name, commit: try #require(CommitIdentifier(commit)))
        }
        return SyncPlan(for: try mirror(), from: state, to: found, by: "schedule")
    }

    @Test func `the first sync queues nothing`() throws {
        let plan = try Self.plan(["refs/tags/v1.0.0": Self.first], after: nil)
        #expect(plan.isFirst && plan.requests.isEmpty && plan.changes.count == 1)
        #expect(plan.tags == 1 && plan.branches == 0)
    }

    @Test func `tags come before branches, and a tagged commit is not built as a branch too`()
        throws
    {
        let plan = try Self.plan([
            "refs/heads/main": Self.first, "refs/heads/master": Self.second,
            "refs/tags/v1.0.0": Self.first,
        ])
        #expect(plan.requests.map(\.reference) == ["refs/tags/v1.0.0", "refs/heads/master"])
        #expect(plan.requests.map(\.cause) == [.tag, .branch])
        #expect(plan.remarks.isEmpty)
    }

    @Test func `a tag that has moved is remarked on and not built`() throws {
        let name = "refs/tags/v1.0.0"
        let plan = try Self.plan([name: Self.second], after: [name: Self.first])
        #expect(plan.requests.isEmpty)
        #expect(plan.remarks.count == 1)
        #expect(plan.remarks.first?.contains("--rebuild") == true)
    }

    @Test func `what the queue has no room for is found again by the next sync`() throws {
        let names = ["refs/heads/main", "refs/tags/v1.0.0"]
        let plan = try Self.plan([names[0]: Self.first, names[1]: Self.second])
        var state = MirrorState()
        plan.note(in: &state, postponing: [names[0]], queued: [names[1]])
        #expect(state.references == [names[1]: Self.second])
        #expect(state.tags == [names[1]: Self.second])
    }

    @Test(arguments: [
        ("v*", "zz/", true), ("v1.*", "v1.2/", false), ("v1.*", "v2", true), ("*", "zz/", false),
        ("zz/v*", "zz/", false), ("zz", "zz/", true), ("z*/v*", "zz/", false), ("v*", nil, false),
    ])
    func `patterns that no tag behind the prefix can match are remarked on`(
        pattern: String,
        prefix: String?,
        isOdd: Bool,
    ) throws {
        var mirror = try Self.mirror()
        mirror.tags = [try #require(ReferencePattern(pattern))]
        mirror.prefix = prefix
        #expect(mirror.remarks.isEmpty != isOdd)
        #expect(mirror.remarks.allSatisfy { $0.contains(pattern) && $0.contains(prefix ?? "-") })
    }
}
