import Access
import Cryptography
import Foundation
import Identifiers
import Releases
import Runners
import TestSupport
import Testing

/// The command that is pasted on a runner's machine, up to the start of the agent.
@Suite struct RunnerLineTests {
    /// Each tool for computing a digest is the only one on the machine.
    @Test(arguments: ["shasum", "sha256sum"], [true, false])
    func `the digest is checked with what the machine has`(
        tool: String,
        isRight: Bool,
    ) async throws {
        // macOS has no `sha256sum`.
        guard FileManager.default.isExecutableFile(atPath: "/usr/bin/\(tool)") else { return }
        try await withTemporaryFolder { folder in
            let agent = Array("print('the agent')\n".utf8)
            try Data(agent).write(to: folder.appending(path: "ota-runner.py"))
            let digest = SHA256Digest(of: isRight ? agent : Array("another".utf8))
            let secret = try #require(
                RunnerSecret(.code, "otc_" + String(repeating: "0", count: 32))
            )
            let line = RunnerCommand(
                server: try BaseURL("https://ota.example.com"),
                runner: try RunnerExamples.slug("mini"),
                code: secret,
                agent: digest,
                authority: nil,
            ).line
            let bin = folder.appending(path: "bin")
            try FileManager.default.createDirectory(at: bin, withIntermediateDirectories: true)
            for (name, target) in [(tool, "/usr/bin/\(tool)"), ("perl", "/usr/bin/perl")] {
                try FileManager.default.createSymbolicLink(
                    atPath: bin.appending(path: name).path(),
                    withDestinationPath: target,
                )
            }
            // Replacements of the programs that would use the network and Python.
            for name in ["curl", "python3"] {
                let script = "#!/bin/sh\necho \(name) >> called\n"
                let file = bin.appending(path: name)
                try Data(script.utf8).write(to: file)
                try FileManager.default.setAttributes(
                    [.posixPermissions: 0o755],
                    ofItemAtPath: file.path(),
                )
            }
            let outcome = try await Program(path: "/bin/sh").run(
                ["-c", line],
                environment: ["PATH": bin.path()],
                in: folder,
            )
            let called = try String(
                contentsOf: folder.appending(path: "called"),
                encoding: .utf8,
            )
            #expect((outcome.status == 0) == isRight, "\(outcome)")
            #expect(called == (isRight ? "curl\npython3\n" : "curl\n"))
        }
    }

    @Test func `labels are named as labels`() {
        #expect(RunnerLabel.words(for: ["mac"]) == "the label mac")
        #expect(RunnerLabel.words(for: ["mac", "xcode-26"]) == "the labels mac and xcode-26")
        #expect(RunnerLabel.words(for: ["a", "b", "c"]) == "the labels a, b and c")
    }
}
