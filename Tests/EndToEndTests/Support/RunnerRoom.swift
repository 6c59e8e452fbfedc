import Foundation
import Identifiers
import MirrorBuilds
import Store
import TestSupport
import Testing

/// A store with a mirror and a runner in a folder of its own; server and agent are processes.
struct RunnerRoom: Sendable {
    let folder: URL
    let store: OTAStore
    let mirror: Slug
    let program: Program
    let work: TestRepository
    let port: Int

    static let script = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../agent/runner.py").standardized.path(percentEncoded: false)

    static func run(_ body: @Sendable (RunnerRoom) async throws -> Void) async throws {
        try await withTemporaryFolder { folder in
            let program = try #require(Program(built: "ota"))
            let upstream = folder.appending(path: "upstream.git")
            try FileManager.default.createDirectory(
                at: upstream,
                withIntermediateDirectories: true,
            )
            try await TestRepository.git(
                ["init", "--quiet", "--template=", "--bare"],
                in: upstream,
            )
            let work = try await TestRepository(at: folder.appending(path: "work"))
            try await work.git("remote", "add", "origin", upstream.path())
            try await work.commit("Begin")
            try await work.git("push", "--quiet", "origin", "main")
            let added = try await program.run(
                [
                    "mirror", "add", "app", upstream.path(), "--allow-file", "--interval", "10s",
                    "--store", "./store",
                ],
                in: folder,
            )
            try #require(added.status == 0, "\(added.errors)")
            let room = RunnerRoom(
                folder: folder,
                store: try OTAStore.open(at: folder.appending(path: "store").path()),
                mirror: try #require(Slug("app")),
                program: program,
                work: work,
                port: try FreePort.any(),
            )
            try await body(room)
        }
    }

    func ota(_ arguments: String...) async throws -> Program.Outcome {
        try await program.run(arguments + ["--store", "./store"], in: folder)
    }

    /// Starts the server, always on the same port.
    func serve(_ options: String...) async throws -> RunningProgram {
        let server = try program.start(
            [
                "serve", "--port", "\(port)", "--no-plain", "--base-url",
                "https://localhost:\(port)", "--store", "./store",
            ] + options,
            in: folder,
            errors: folder.appending(path: "errors-\(UUID().uuidString)"),
        )
        _ = try #require(await server.line())
        return server
    }

    /// Starts the agent: at first with the arguments that `ota runners add` prints, later with its saved
    /// settings.
    func startAgent() async throws -> RunningProgram {
        var arguments = ["python3", "-B", Self.script, "--folder", folder.path() + "agent"]
        let token = folder.appending(path: "agent/token").path()
        if FileManager.default.fileExists(atPath: token) {
            arguments += ["--name", "mac-1"]
        } else {
            let added = try await ota("runners", "add", "mac-1", "--mirror", "app", "--json")
            try #require(added.status == 0, "\(added.errors)")
            let command = try #require(
                try JSONDecoder().decode(Added.self, from: Data(added.output.utf8)).command
            )
            let words = command.replacing("'", with: "").split(separator: " ").map(String.init)
            let start = try #require(words.firstIndex(of: "--server"))
            arguments += words[start...]
        }
        let agent = try Program(path: "/usr/bin/env").start(
            arguments,
            in: folder,
            errors: folder.appending(path: "agent-\(UUID().uuidString)"),
        )
        var line = try #require(await agent.line())
        while !line.contains("waits for work") { line = try #require(await agent.line()) }
        return agent
    }

    private struct Added: Decodable {
        let command: String?
    }

    /// Commits a pipeline and pushes it with a tag.
    func push(_ pipeline: String, tag: String) async throws {
        try await work.commit("Build \(tag)", [".ota/pipeline.yml": pipeline])
        try await work.git("tag", tag)
        try await work.git("push", "--quiet", "origin", "main", tag)
    }

    /// Waits for the end of a build, and returns it.
    func ended(_ number: Int) async throws -> MirrorRun {
        try await eventually(within: .seconds(120), "build \(number) is over") {
            try store.run(number, of: mirror)?.state.isOver == true
        }
        return try #require(try store.run(number, of: mirror))
    }

    func log(of run: MirrorRun) throws -> String {
        String(decoding: try store.bytes(of: #require(run.log)), as: UTF8.self)
    }

    // MARK: A step that waits

    private var stepFile: String { folder.path() + "step" }
    private var finishFile: String { folder.path() + "finish" }

    /// Prints a hundred lines, waits for ``finishSteps()``, and prints a hundred more.
    var waitingPipeline: String {
        """
        runs-on: mac
        steps:
          - name: Wait
            run: |
              for i in $(seq 1 100); do echo "line $i"; done
              echo $$ > \(stepFile)
              while [ ! -e \(finishFile) ] && [ -d \(folder.path()) ]; do sleep 0.1; done
              for i in $(seq 101 200); do echo "line $i"; done
        """
    }

    var isWaiting: Bool { (try? step) != nil }

    /// The process ID of the most recent step.
    var step: Int {
        get throws {
            let text = try String(contentsOfFile: stepFile, encoding: .utf8)
            // The shell creates the file before it writes the number.
            guard let process = Int(text.trimmingSuffix("\n")) else {
                throw CocoaError(.fileReadCorruptFile)
            }
            return process
        }
    }

    var isStepAlive: Bool { get throws { Self.isAlive(try step) } }

    func finishSteps() throws {
        try Data().write(to: URL(filePath: finishFile))
    }

    /// Whether a process runs; a zombie does not.
    static func isAlive(_ process: Int) -> Bool {
        let status = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
        guard let status, let end = status.lastIndex(of: ")") else { return false }
        return !status[end...].hasPrefix(") Z")
    }

    /// Workspaces that the agent has left behind.
    var leftovers: [String] {
        get throws {
            let work = folder.path() + "agent/work"
            guard FileManager.default.fileExists(atPath: work) else { return [] }
            return try FileManager.default.contentsOfDirectory(atPath: work)
        }
    }
}
