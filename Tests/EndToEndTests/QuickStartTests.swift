import Foundation
import TestSupport
import Testing

/// `scripts/quickstart`, as a newcomer reads it.
@Suite(.timeLimit(.minutes(10)))
struct QuickStartTests {
    private static let script = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "scripts/quickstart").path()

    /// What it prints up to its last line, which names the document for a real server.
    private static func output(
        _ arguments: [String],
        _ environment: [String: String],
        in folder: URL,
    ) async throws -> [String] {
        let file = folder.appending(path: "output")
        let command = ([script] + arguments).map { "'\($0)'" }.joined(separator: " ")
        let process = try Program(path: "/bin/bash").start(
            ["-c", "exec \(command) >output 2>&1"],
            environment: environment,
            in: folder,
        )
        defer { process.send(SIGKILL) }
        for _ in 0..<1200 {
            let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
            if text.contains("To run a real server") { break }
            try await Task.sleep(for: .milliseconds(100))
        }
        process.send(SIGTERM)
        _ = try await process.status()
        return try String(contentsOf: file, encoding: .utf8)
            .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    private static func environment(_ folder: URL) throws -> [String: String] {
        [
            "OTA_PROGRAM": try #require(Program(built: "ota")).path,
            "OTA_PORT": "\(try FreePort.any())", "OTA_PLAIN_PORT": "\(try FreePort.any())",
            "TMPDIR": folder.path(), "NO_COLOR": "1",
        ]
    }

    @Test func `it says first that no phone installs the sample, and last how admins sign in`()
        async throws
    {
        try await withTemporaryFolder { folder in
            let environment = try Self.environment(folder)
            let lines = try await Self.output([], environment, in: folder)
            #expect(
                lines.first
                    == "This serves a sample build. A real phone does not install it, because Apple has not signed it."
            )
            #expect(
                lines.dropFirst().first
                    == "To install a build of your own: scripts/quickstart my.ipa"
            )
            let port = environment["OTA_PORT"] ?? ""
            #expect(lines.contains { $0.hasPrefix("  https://") && $0.hasSuffix(":\(port)/admin") })
            #expect(lines.contains { $0.hasPrefix("  token  ota_") })
            #expect(lines.contains { $0.hasPrefix("This machine is ") })
            #expect(lines.contains { $0.contains("scripts/quickstart --host ADDRESS") })
        }
    }

    @Test func `--host chooses the address, and a build is found beside the caller`() async throws {
        try await withTemporaryFolder { folder in
            let environment = try Self.environment(folder)
            let lines = try await Self.output(["--host", "mac.local"], environment, in: folder)
            #expect(lines.contains("  https://mac.local:\(environment["OTA_PORT"] ?? "")/admin"))
            #expect(lines.contains("This machine is mac.local for the phone."))

            let missing = try await Program(path: Self.script).run(
                ["my.ipa"],
                environment: environment,
                in: folder,
            )
            #expect(missing.status == 1)
            #expect(missing.errors.contains("There is no file \(folder.path())my.ipa."))
            let odd = try await Program(path: Self.script).run(
                ["--host", "https://a:1"],
                environment: environment,
                in: folder,
            )
            #expect(odd.status == 64)
        }
    }

    @Test func `a build says before how long it takes, and is never silent for long`() async throws
    {
        try await withTemporaryFolder { folder in
            let swift = """
                #!/bin/bash
                case "$*" in *--show-bin-path*) echo "$PWD/nowhere"; exit 0 ;; esac
                echo "[12/606] Compiling Something"
                sleep 12
                echo "error: it does not compile"
                exit 1
                """
            let file = folder.appending(path: "swift")
            try Data(swift.utf8).write(to: file)
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o755],
                ofItemAtPath: file.path(),
            )
            let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
            let outcome = try await Program(path: Self.script).run(
                [],
                environment: ["PATH": "\(folder.path()):\(path)", "OTA_PROGRAM": ""],
                in: folder,
            )
            #expect(outcome.status == 1)
            #expect(outcome.output.contains("about 8 minutes on two idle cores, and 1 GB"))
            #expect(outcome.output.contains("[12/606] Compiling Something"))
            #expect(outcome.errors.contains("error: it does not compile"))
            #expect(outcome.errors.contains("The build failed; the lines above say why."))
        }
    }
}
