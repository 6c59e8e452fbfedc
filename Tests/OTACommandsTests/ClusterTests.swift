import Foundation
import TestSupport
import Testing

/// Three servers on one bucket behind a balancer, as `scripts/cluster` starts them.
@Suite(
    .enabled(
        if: BucketPlace.isHere && FileManager.default.isExecutableFile(atPath: "/usr/sbin/nginx")
    ),
    .timeLimit(.minutes(5)),
)
struct ClusterTests {
    @Test func `servers on one bucket show the same, and die and restart without a lost request`()
        async throws
    {
        let ota = try #require(Program(built: "ota"))
        let root = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        try await withTemporaryFolder { folder in
            let outcome = try await Program(path: root.appending(path: "scripts/cluster").path())
                .run(
                    ["--check"],
                    environment: [
                        "OTA_PROGRAM": ota.path, "OTA_TOOLS": ObjectEngine.tools,
                        "TMPDIR": folder.path(),
                    ],
                    in: folder,
                )
            #expect(outcome.status == 0, "\(outcome)")
            #expect(outcome.output.contains("shown by 3 servers"))
            #expect(outcome.output.contains("shown by 2 servers"))
            #expect(outcome.output.contains("requests failed"))
        }
    }
}
