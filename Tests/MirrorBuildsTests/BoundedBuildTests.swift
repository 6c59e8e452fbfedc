import Bytes
import Foundation
import MirrorBuilds
import Mirrors
import Releases
import Sandboxing
import TestSupport
import Testing

/// The worst that a build may do, without harm to the server.
@Suite(.serialized) struct BoundedBuildTests {
    /// Builds the branch `main` with one step.
    static func run(
        _ script: String,
        in room: MirrorRoom,
        limits: String = "",
        hiding: [String] = [],
        _ change: (inout Mirror) -> Void = { _ in },
    ) async throws -> MirrorRun {
        let lines = script.split(separator: "\n").map { "      \($0)" }.joined(separator: "\n")
        try await room.work.commit(
            "Begin",
            [".ota/pipeline.yml": "steps:\n  - name: Step\n    run: |\n\(lines)\n\(limits)"],
        )
        try await room.push()
        try room.add(change: change)
        try await room.sync()
        let runs = try await room.buildByHand(hiding: hiding) { $0.branch = "main" }
        return try #require(runs.first)
    }

    /// Whether a process runs; a zombie does not.
    private static func isAlive(_ process: Int32) -> Bool {
        let status = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
        guard let status, let end = status.lastIndex(of: ")") else { return false }
        return !status[end...].hasPrefix(") Z")
    }

    @Test func `a step that ignores being told to end is made to, with its children`() async throws
    {
        try await withTemporaryFolder { folder in
            let room = try await MirrorRoom(in: folder)
            let run = try await Self.run(
                """
                trap '' TERM
                (trap '' TERM; while :; do sleep 1; done) &
                echo "child $!"
                while :; do sleep 1; done
                """,
                in: room,
                limits: "    timeout: 1s\n",
            )
            #expect(run.state == .failed)
            #expect(run.reason == "step “Step” took longer than its timeout of 1 s and was killed")
            let log = try room.log(of: run)
            let child = try #require(
                log.split(separator: "\n").compactMap {
                    Int32(String($0).droppingPrefix("child ") ?? "")
                }
                .first
            )
            #expect(!Self.isAlive(child))
        }
    }

    @Test(arguments: [
        (2, 60, "by the mirror's time limit (--time-limit)"),
        (600, 2, "by the timeout of the pipeline"),
    ])
    func `a build that takes too long says whose limit it was`(
        mirrors: Int,
        pipelines: Int,
        reason: String,
    ) async throws {
        try await withTemporaryFolder { folder in
            let room = try await MirrorRoom(in: folder)
            let run = try await Self.run(
                "sleep 300",
                in: room,
                limits: "    timeout: 9m\ntimeout: \(pipelines)s\n",
            ) { $0.limits.buildSeconds = mirrors }
            let limit = "the time limit of the whole build is 2 s"
            #expect(run.reason == "step “Step” was stopped: \(limit), \(reason)")
        }
    }

    @Test func `a child that begins a session of its own does not outlive the build`() async throws
    {
        try await withTemporaryFolder { folder in
            let room = try await MirrorRoom(in: folder)
            let pidFile = folder.appending(path: "pid").path()
            let run = try await Self.run(
                """
                setsid sh -c 'echo $$ > \(pidFile); exec sleep 300' </dev/null &
                while [ ! -s \(pidFile) ]; do sleep 0.1; done
                echo done
                """,
                in: room,
            )
            #expect(run.state == .succeeded, "\(run)")
            let text = try String(contentsOfFile: pidFile, encoding: .utf8)
            let process = try #require(Int32(text.trimmingSuffix("\n")))
            #expect(!Self.isAlive(process))
        }
    }

    @Test func `a step works in a folder of any name`() async throws {
        try await withTemporaryFolder { folder in
            let room = try await MirrorRoom(in: folder)
            try await room.work.commit(
                "Begin",
                [
                    "Größe 100%/My App/here": "",
                    ".ota/pipeline.yml": """
                    steps:
                      - run: test -e here
                        working-directory: Größe 100%/My App
                    """,
                ],
            )
            try await room.push()
            try room.add()
            try await room.sync()
            let run = try #require(try await room.buildByHand { $0.branch = "main" }.first)
            #expect(run.state == .succeeded, "\(run)")
        }
    }

    /// Runs only where the server may create control groups, which root may.
    @Test(.enabled(if: SystemUser.isRoot && FileManager.default.isWritableFile(atPath: groups)))
    func `a daemon that wipes its environment does not outlive the build either`() async throws {
        try await withTemporaryFolder { folder in
            let room = try await MirrorRoom(in: folder)
            let pidFile = folder.appending(path: "pid").path()
            let daemon = "exec sleep 300"
            let run = try await Self.run(
                """
                (setsid env -i /bin/sh -c 'echo $$ > \(pidFile); \(daemon)' </dev/null >/dev/null 2>&1 &)
                while [ ! -s \(pidFile) ]; do sleep 0.1; done
                """,
                in: room,
            )
            let log = try room.log(of: run)
            #expect(run.state == .succeeded, "\(run)")
            #expect(log.contains("\nlimits: control group"), "\(log)")
            let text = try String(contentsOfFile: pidFile, encoding: .utf8)
            let process = try #require(Int32(text.trimmingSuffix("\n")))
            #expect(!Self.isAlive(process))
        }
    }

    private static let groups = "/sys/fs/cgroup/unified/cgroup.procs"

    @Test func `a build that fills the disk is ended`() async throws {
        try await withTemporaryFolder { folder in
            let room = try await MirrorRoom(in: folder)
            let run = try await Self.run(
                """
                for i in $(seq 1 40); do head -c 1000000 /dev/zero > $i; done
                sleep 300
                """,
                in: room,
            ) { $0.limits.diskBytes = 20 << 20 }
            #expect(run.state == .failed)
            #expect(
                run.reason == "step “Step” used more than 20 MB of disk space and was killed"
            )
        }
    }

    @Test func `an endless log ends the step, and is cut at its limit`() async throws {
        try await withTemporaryFolder { folder in
            let room = try await MirrorRoom(in: folder)
            let run = try await Self.run("yes", in: room) { $0.limits.logBytes = 100_000 }
            #expect(run.state == .failed)
            #expect(run.reason == "step “Step” printed too much and was killed")
            let log = try room.log(of: run)
            #expect(log.utf8.count <= 100_000 + 1_000)
            // The server's own lines come after the cut.
            let cut =
                "… the log is longer than 100,000 bytes, so the rest of what steps print is left out\n"
            let end = try #require(log.range(of: cut)).upperBound
            #expect(log[end...].contains("printed too much"), "\(log.suffix(300))")
        }
    }

    /// The system does not count root's processes, so this build runs as another user.
    @Test(.enabled(if: SystemUser.isRoot && SystemUser(named: "nobody") != nil))
    func `a fork bomb comes to its limit and leaves nothing behind`() async throws {
        try await withTemporaryFolder { folder in
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o711],
                ofItemAtPath: folder.path(),
            )
            let room = try await MirrorRoom(in: folder)
            let workspaces = FileManager.default.temporaryDirectory
                .appending(path: "ota-builds-\(UUID().uuidString)")
            try FileManager.default.createDirectory(
                at: workspaces,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o711],
            )
            defer { try? FileManager.default.removeItem(at: workspaces) }
            let place = MirrorContext(
                store: room.store,
                folders: MirrorFolders(
                    store: folder.appending(path: "store").path(),
                    workspaces: workspaces.path(),
                ),
                anchors: room.place.anchors,
                surroundings: [:],
                clock: room.place.clock,
            )
            try await room.work.commit(
                "Begin",
                [
                    ".ota/pipeline.yml": """
                    steps:
                      - name: Who
                        run: id -un
                      - name: Bomb
                        run: |
                          bomb() { bomb | bomb & }
                          bomb
                          sleep 300
                        timeout: 2s
                    """
                ],
            )
            try await room.push()
            let mirror = try room.add {
                $0.user = "nobody"
                $0.limits.processes = 64
            }
            try await room.sync()
            var build = ManualBuild()
            build.branch = "main"
            let queued = try await build.queue(for: mirror, in: place, by: "ana")
            try await MirrorWorker(for: mirror.name, in: place).work()
            let run = try #require(try room.store.run(queued.number, of: mirror.name))
            #expect(run.state == .failed, "\(run)")
            #expect(try room.log(of: run).contains("\nnobody\n"))
            let mark = try #require(run.mark)
            #expect(await ProcessMark(mark).killAll() == 0)
            #expect(!FileManager.default.fileExists(atPath: workspaces.path() + "/app.work/1"))
        }
    }

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/bwrap")))
    func `behind bwrap a step sees no other file, no other process and no network`() async throws {
        try await withTemporaryFolder { folder in
            let room = try await MirrorRoom(in: folder)
            try room.work.write("secret", to: "../outside")
            let run = try await Self.run(
                """
                test ! -e \(folder.path())store/store.json
                test ! -e \(folder.path())outside
                test ! -e /etc/shadow
                test ! -e /root
                test "$(ls -d /proc/[0-9]* | wc -l)" -lt 10
                test "$(cat /proc/net/dev | grep -vc lo:)" -le 3
                echo fine > made && cat made
                """,
                in: room,
            ) {
                $0.isolation = .bwrap
                $0.allowsNetwork = false
            }
            let log = try room.log(of: run)
            #expect(run.state == .succeeded, "\(run) \(log)")
        }
    }

    @Test func `a step finds its own variables and none of the server's`() async throws {
        try await withTemporaryFolder { folder in
            let room = try await MirrorRoom(in: folder)
            let run = try await Self.run(
                """
                env | sed 's/=.*//' | sort | tr '\\n' ' '
                ls /proc/$$/fd | tr '\\n' ' '
                """,
                in: room,
            )
            let log = try room.log(of: run)
            #expect(
                log.contains(
                    "BRANCH BUILD_NUMBER CHANNEL CI COMMIT HOME LANG MARKETING_VERSION NOTES "
                ),
                "\(log)",
            )
            #expect(!log.contains("OTA_STORE") && !log.contains("OTA_TOKEN"))
            // Its three descriptors, and what the shell has open itself.
            #expect(log.contains("0 1 2 255 ") || log.contains("0 1 2 "), "\(log)")
        }
    }
}
