import Foundation
import Sandboxing
import Synchronization
import TestSupport
import Testing

@Suite struct ChildProcessTests {
    private static func shell(
        _ script: String,
        _ change: (inout ChildProcess) -> Void = { _ in },
    ) async throws -> (ending: ChildProcess.Ending, output: String) {
        var process = ChildProcess(
            "/bin/sh",
            ["-c", script],
            in: "/",
            limits: ProcessLimits(time: .seconds(20), output: 1 << 20),
        )
        process.environment = ["PATH": "/usr/bin:/bin"]
        change(&process)
        let output = Mutex<[UInt8]>([])
        let ending = try await process.run(output: { piece in output.withLock { $0 += piece } })
        return (ending, output.withLock { String(decoding: $0, as: UTF8.self) })
    }

    @Test func `a program has the environment that it is given, and no other`() async throws {
        let (ending, output) = try await Self.shell("env | cut -d= -f1 | sort | tr '\\n' ' '") {
            $0.environment["GIVEN"] = "1"
        }
        #expect(ending == .exited(0))
        let names = Set(output.split(separator: " ").map(String.init))
        // The shell sets four variables of its own.
        #expect(names.subtracting(["PWD", "SHLVL", "_", "OLDPWD"]) == ["GIVEN", "PATH"])
    }

    @Test func `exit statuses and signals are told apart`() async throws {
        #expect(try await Self.shell("exit 3").ending == .exited(3))
        #expect(try await Self.shell("kill -9 $$").ending == .signalled(9))
    }

    @Test func `a program that takes too long is ended, with what it started`() async throws {
        let (ending, output) = try await Self.shell("sleep 60 & echo $!; wait") {
            $0.limits.time = .milliseconds(300)
            $0.limits.patience = .milliseconds(100)
        }
        #expect(ending == .timedOut)
        let child = try #require(Int32(output.trimmingCharacters(in: .whitespacesAndNewlines)))
        // Signal 0 only checks for the process; a killed process may remain as a zombie.
        for _ in 0..<100 where kill(child, 0) == 0 { try await Task.sleep(for: .milliseconds(20)) }
        let state = try? String(contentsOfFile: "/proc/\(child)/stat", encoding: .utf8)
        #expect(state == nil || state?.contains(") Z ") == true)
    }

    @Test func `output beyond the limit ends a program`() async throws {
        let (ending, output) = try await Self.shell("yes") { $0.limits.output = 1000 }
        #expect(ending == .tooMuchOutput)
        #expect(output.utf8.count == 1000)
    }

    @Test(arguments: [
        ("/nonexistent", "No such file or directory"), ("/etc/passwd", "Not a directory"),
    ])
    func `a program that cannot be started says which, and why`(
        folder: String,
        reason: String,
    ) async throws {
        let process = ChildProcess(
            "/bin/true",
            [],
            in: folder,
            limits: ProcessLimits(time: .seconds(5), output: 1000),
        )
        let failure = await #expect(throws: ProcessFailure.self) {
            _ = try await process.run(output: { _ in })
        }
        let words = try #require(failure).description
        #expect(
            words.hasPrefix("/bin/true cannot be started: ") && words.hasSuffix(reason),
            "\(words)",
        )
    }
}
