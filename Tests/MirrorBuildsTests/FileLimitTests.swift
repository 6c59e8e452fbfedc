import MirrorBuilds
import Mirrors
import TestSupport
import Testing

/// Steps that write a file larger than `--size-limit`.
@Suite struct FileLimitTests {
    @Test func `a file beyond the limit ends the step`() async throws {
        try await withTemporaryFolder { folder in
            let room = try await MirrorRoom(in: folder)
            let run = try await BoundedBuildTests.run(
                "head -c 3000000 /dev/zero > big || exit 9",
                in: room,
            ) { $0.limits.fileBytes = 1 << 20 }
            #expect(run.state == .failed, "\(run)")
            #expect(run.steps.first?.exitCode == 9)
        }
    }

    @Test(arguments: [
        (
            "head -c 3000000 /dev/zero > big\ntrue",
            "failed with exit status 153, which a shell reports",
        ),
        ("exec head -c 3000000 /dev/zero > big", "was killed by signal 25, which usually means"),
    ])
    func `a step that writes too large a file says which limit may be why`(
        script: String,
        beginning: String,
    ) async throws {
        try await withTemporaryFolder { folder in
            let room = try await MirrorRoom(in: folder)
            let run = try await BoundedBuildTests.run(script, in: room) {
                $0.limits.fileBytes = 1 << 20
            }
            let reason = run.reason ?? ""
            #expect(reason.hasPrefix("step “Step” \(beginning)"), "\(run)")
            #expect(
                reason.hasSuffix(
                    "a file of more than 1 MB: if so, raise the limit with "
                        + "`ota mirror set app --size-limit MEGABYTES`"
                )
            )
        }
    }
}
