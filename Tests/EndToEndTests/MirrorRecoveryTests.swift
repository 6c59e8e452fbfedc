import Cryptography
import Foundation
import Identifiers
import MirrorBuilds
import Mirrors
import Releases
import Store
import TestSupport
import Testing

/// A server that is killed during a build, and the next one.
@Suite(.timeLimit(.minutes(10)))
struct MirrorRecoveryTests {
    private static func serve(_ ota: Program, in folder: URL) async throws -> RunningProgram {
        let server = try ota.start(
            ["serve", "--port", "0", "--no-plain"],
            environment: ["OTA_STORE": "./store"],
            in: folder,
            errors: folder.appending(path: "errors-\(UUID().uuidString)"),
        )
        _ = try #require(await server.line())
        return server
    }

    /// Whether a process runs; a zombie does not.
    private static func isAlive(_ file: URL) throws -> Bool {
        let process = try String(contentsOf: file, encoding: .utf8).trimmingSuffix("\n")
        let status = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
        guard let status, let end = status.lastIndex(of: ")") else { return false }
        return !status[end...].hasPrefix(") Z")
    }

    @Test
    func `after kill -9 what ran is called interrupted and taken up, and what waited is built`()
        async throws
    {
        try await withTemporaryFolder { folder in
            let ota = try #require(Program(built: "ota"))
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
            let (step, child) = (folder.appending(path: "step"), folder.appending(path: "child"))
            let finish = folder.appending(path: "finish").path()
            // The process is marked by its environment, and has a session of its own; the step itself waits.
            try await work.commit(
                "Begin",
                [
                    ".ota/pipeline.yml": """
                    steps:
                      - name: Build
                        run: |
                          echo "building $TAG"
                          [ -e \(finish) ] && exit
                          setsid sh -c 'echo $$ > \(child.path()); exec sleep 600' </dev/null &
                          while [ ! -s \(child.path()) ]; do sleep 0.1; done
                          echo $$ > \(step.path())
                          sleep 600
                    """
                ],
            )
            try await work.git("push", "--quiet", "origin", "main")
            let added = try await ota.run(
                [
                    "mirror", "add", "app", upstream.path(), "--allow-file", "--interval", "10s",
                    "--store", "./store",
                ],
                in: folder,
            )
            try #require(added.status == 0, "\(added.errors)")
            let store = try OTAStore.open(at: folder.appending(path: "store").path())
            let name = try #require(Slug("app"))

            let first = try await Self.serve(ota, in: folder)
            defer { first.send(SIGKILL) }
            try await work.git("tag", "v1.0.0")
            try await work.git("push", "--quiet", "origin", "v1.0.0")
            try await eventually(within: .seconds(60), "the first build runs") {
                FileManager.default.fileExists(atPath: step.path())
            }
            try await work.commit("Go on")
            try await work.git("tag", "v1.1.0")
            try await work.git("push", "--quiet", "origin", "v1.1.0")
            // The server also syncs during a build, and shows what is queued.
            try await eventually(within: .seconds(60), "the second tag waits") {
                try store.run(2, of: name)?.state == .queued
            }
            let shown = try await ota.run(
                ["mirror", "show", "app", "--store", "./store"],
                in: folder,
            )
            #expect(shown.output.contains("running") && shown.output.contains("queued"))

            first.send(SIGKILL)
            #expect(try await first.status() == 128 + SIGKILL)
            #expect(try store.run(1, of: name)?.state == .running)
            try Data().write(to: URL(filePath: finish))

            let second = try await Self.serve(ota, in: folder)
            defer { second.send(SIGKILL) }
            try await eventually(within: .seconds(60), "what waited and what ran is built") {
                try store.run(3, of: name)?.state.isOver == true
            }
            let runs = try store.runs(of: name, count: 10).reversed()
            #expect(runs.map(\.state) == [.interrupted, .succeeded, .succeeded])
            #expect(runs.map(\.tag) == ["v1.0.0", "v1.1.0", "v1.0.0"])
            #expect(runs.map(\.repeats) == [nil, nil, 1])
            let log = try #require(runs.first?.log)
            let text = String(decoding: try store.bytes(of: log), as: UTF8.self)
            #expect(text.contains("building v1.0.0\n"))
            #expect(try [child, step].filter(Self.isAlive).isEmpty)

            // A running build can be cancelled from another process.
            try FileManager.default.removeItem(atPath: finish)
            try FileManager.default.removeItem(at: child)
            try FileManager.default.removeItem(at: step)
            let queued = try await ota.run(
                [
                    "mirror", "build", "app", "--tag", "v1.1.0", "--queue-only", "--store",
                    "./store",
                ],
                in: folder,
            )
            #expect(queued.status == 0, "\(queued.errors)")
            try await eventually(within: .seconds(60), "the build by hand runs") {
                FileManager.default.fileExists(atPath: step.path())
            }
            let cancelled = try await ota.run(
                ["mirror", "cancel", "app", "4", "--store", "./store"],
                in: folder,
            )
            #expect(cancelled.status == 0, "\(cancelled.errors)")
            try await eventually(within: .seconds(60), "the build by hand ends") {
                try store.run(4, of: name)?.state == .cancelled
            }
            #expect(try [child, step].filter(Self.isAlive).isEmpty)
            second.send(SIGTERM)
            #expect(try await second.status() == 0)
        }
    }
}
