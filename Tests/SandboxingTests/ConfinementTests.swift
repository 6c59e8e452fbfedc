import Foundation
import Sandboxing
import Synchronization
import TestSupport
import Testing

/// What a process can no longer do once it has confined itself, tested in a child process.
@Suite struct ConfinementTests {
    #if os(Linux)
    @Test func `a confined process has no sockets, and starts, signals and reads no other`()
        async throws
    {
        let program = try #require(Program(built: "ConfinedChild"), "ConfinedChild is not built")
        let process = ChildProcess(
            program.path,
            [],
            in: "/",
            limits: ProcessLimits(time: .seconds(20), output: 1 << 16),
        )
        let output = Mutex<[UInt8]>([])
        let ending = try await process.run(output: { piece in output.withLock { $0 += piece } })
        #expect(ending == .exited(0))
        let text = output.withLock { String(decoding: $0, as: UTF8.self) }
        var results: [Substring: Substring] = [:]
        for line in text.split(separator: "\n") {
            let parts = line.split(separator: ": ")
            if parts.count == 2 { results[parts[0]] = parts[1] }
        }
        for allowed in [
            "file", "kill itself with nothing", "thread", "8 threads at work", "open file",
        ] {
            #expect(results.removeValue(forKey: Substring(allowed)) == "0", "\(allowed)")
        }
        #expect(results.count >= 18)
        #expect(results.values.allSatisfy { $0 == "\(EPERM)" }, "\(text)")
    }
    #endif

    @Test func `a program reads its input from a pipe, however long it is`() async throws {
        let input = Array(String(repeating: "0123456789abcde\n", count: 100_000).utf8)
        var process = ChildProcess(
            "/bin/sh",
            ["-c", "head -c \(input.count) | cksum"],
            in: "/",
            limits: ProcessLimits(time: .seconds(20), output: 1 << 16),
        )
        process.environment = ["PATH": "/usr/bin:/bin"]
        process.input = input
        let output = Mutex<[UInt8]>([])
        let ending = try await process.run(output: { piece in output.withLock { $0 += piece } })
        #expect(ending == .exited(0))
        let words = output.withLock { String(decoding: $0, as: UTF8.self) }.split(separator: " ")
        #expect(
            words.dropFirst().first.map { $0.trimmingCharacters(in: .newlines) }
                == "\(input.count)"
        )
    }

    @Test func `a program that does not read its input ends all the same`() async throws {
        var process = ChildProcess(
            "/bin/sh",
            ["-c", "exit 3"],
            in: "/",
            limits: ProcessLimits(time: .seconds(20), output: 1 << 16),
        )
        process.input = [UInt8](repeating: 0x30, count: 1 << 20)
        #expect(try await process.run(output: { _ in }) == .exited(3))
    }
}
