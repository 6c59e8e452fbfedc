import Foundation
import MirrorBuilds
import Mirrors
import Releases
import TestSupport
import Testing
import Versions

@Suite struct MaskTests {
    private static let secrets = [
        "TOKEN": "s3cret/+ value&42",
        "KEY": "-----BEGIN-----\nabcdefgh1234\nqrstuvwx5678\n-----END-----",
    ]

    @Test func `no form of a secret stands in the log of a build`() async throws {
        try await withTemporaryFolder { folder in
            let room = try await MirrorRoom(in: folder)
            try await room.work.commit(
                "Begin",
                [
                    ".ota/pipeline.yml": """
                        steps:
                          - name: Show
                            run: |
                              printf 'plain:%s\\n' "$TOKEN"
                              printf 'base64:%s\\n' "$(printf %s "$TOKEN" | base64 -w0)"
                              printf 'inside:%s\\n' "$(printf 'user:%s' "$TOKEN" | base64 -w0)"
                              printf 'inside:%s\\n' "$(printf 'us:%s;more' "$TOKEN" | base64 -w0)"
                              printf 'url:s3cret%%2F%%2B%%20value%%2642\\n'
                              printf 'url:s3cret%%2f%%2b%%20value%%2642\\n'
                              printf 'lines:%s\\n' "$KEY"
                              printf '%s' "$TOKEN" | while IFS= read -r -n1 c || [ -n "$c" ]; do
                                printf '%s' "$c"; sleep 0.01
                              done
                              printf '\\nstderr:%s\\n' "$TOKEN" >&2
                              printf 's3cret/+ val'
                    """
                ],
            )
            try await room.push()
            let mirror = try room.add()
            try room.store.changeSecrets(of: mirror.name) { $0.variables = Self.secrets }
            try await room.sync()
            let runs = try await room.buildByHand { $0.branch = "main" }
            #expect(runs.map(\.state) == [.succeeded], "\(runs)")
            let run = try #require(runs.first)
            let log = try room.log(of: run)
            let token = Data("s3cret/+ value&42".utf8).base64EncodedString()
            for form in [
                "s3cret/+ value&42", token, String(token.prefix(12)), "%2Fs3cret", "s3cret%2",
                "abcdefgh1234",
                "qrstuvwx5678",
            ] {
                #expect(!log.contains(form), "\(form)\n\(log)")
            }
            #expect(log.contains("plain:***\n") && log.contains("base64:***\n"))
            #expect(log.contains("url:***\nurl:***\n") && log.contains("stderr:***\n"))
            // A prefix that is not continued is not a secret.
            #expect(log.contains("\ns3cret/+ val\n"))
        }
    }

    @Test func `references that are not trusted get no secrets`() async throws {
        try await withTemporaryFolder { folder in
            let room = try await MirrorRoom(in: folder)
            try await room.work.commit(
                "Begin",
                [".ota/pipeline.yml": "steps:\n  - run: env | sort; test -z \"$TOKEN\"\n"],
            )
            try await room.work.git("branch", "contributed")
            try await room.push()
            let mirror = try room.add { $0.branches = Mirror.defaultBranches }
            try room.store.changeSecrets(of: mirror.name) { $0.variables = Self.secrets }
            try await room.sync()
            let runs = try await room.buildByHand { $0.branch = "contributed" }
            #expect(runs.map(\.state) == [.succeeded], "\(runs)")
            let log = try room.log(of: try #require(runs.first))
            #expect(log.contains("secrets are withheld: contributed"))
            #expect(!log.contains("TOKEN="))

            // Nor does a commit that was given by hand, unless it is on a trusted reference.
            let tip = try await room.work.git("rev-parse", "contributed")
            let named = try await room.buildByHand { $0.commit = CommitIdentifier(tip) }
            #expect(named.map(\.state) == [.failed], "main is on it, and is trusted")
            try await room.work.commit("Go on")
            try await room.push()
            try await room.syncAndBuild()
            let left = try await room.buildByHand { $0.commit = CommitIdentifier(tip) }
            #expect(left.map(\.state) == [.succeeded], "\(left)")
            let called = try await room.buildByHand {
                $0.commit = CommitIdentifier(tip)
                $0.tag = try TagName("v1.0.0")
            }
            #expect(called.map(\.state) == [.succeeded], "a name given by hand is no proof")

            let trusted = try await room.buildByHand { $0.branch = "main" }
            #expect(trusted.map(\.state) == [.failed])
            #expect(try room.log(of: try #require(trusted.first)).contains("TOKEN=***"))
        }
    }
}
