import APIDocuments
import Administration
import Foundation
import MirrorBuilds
import Mirrors
import Sandboxing
import TestSupport
import Testing

/// What a build in the real `bwrap` can see of the machine.
@Suite(
    .serialized,
    .enabled(
        if: FileManager.default.isExecutableFile(atPath: "/usr/bin/bwrap"),
        "bubblewrap is not installed",
    ),
)
struct SandboxTests {
    private static func build(
        _ script: String,
        in room: MirrorRoom,
        hiding: [String] = [],
        _ change: (inout Mirror) -> Void = { _ in },
    ) async throws -> (run: MirrorRun, log: String) {
        let run = try await BoundedBuildTests.run(script, in: room, hiding: hiding) {
            $0.isolation = .bwrap
            change(&$0)
        }
        return (run, try room.log(of: run))
    }

    @Test func `a build sees of the machine what is listed, and nothing else`() async throws {
        try await withTemporaryFolder { folder in
            let room = try await MirrorRoom(in: folder)
            let (run, log) = try await Self.build(
                """
                ls -A / | tr '\\n' ' '; echo
                ls -A /etc | tr '\\n' ' '; echo
                ls -A /etc/ssl 2>/dev/null | tr '\\n' ' '; echo
                ls -A /usr/local/etc 2>/dev/null | wc -l
                grep CapEff /proc/self/status
                grep CapBnd /proc/self/status
                grep NoNewPrivs /proc/self/status
                echo x > /usr/made && exit 1 || true
                """,
                in: room,
            )
            #expect(run.state == .succeeded, "\(log)")
            let lines = log.split(separator: "\n", omittingEmptySubsequences: false).map(
                String.init
            )
            let start = try #require(lines.firstIndex { $0.hasPrefix("── ") }) + 1
            let seen = lines[start...].prefix(3).map {
                Set($0.split(separator: " ").map(String.init))
            }
            // The temporary folder is in `/tmp`, where the build's own folder is mounted.
            let top: Set = [
                "bin", "dev", "etc", "lib", "lib32", "lib64", "proc", "sbin", "tmp", "usr", "var",
            ]
            #expect(seen[0].isSubset(of: top), "\(seen[0].subtracting(top))")
            let settings: Set = [
                "alternatives", "ca-certificates", "crypto-policies", "group", "hosts",
                "ld.so.cache", "ld.so.conf", "ld.so.conf.d", "localtime", "nsswitch.conf",
                "passwd", "pki", "resolv.conf", "ssl",
            ]
            #expect(seen[1].isSubset(of: settings), "\(seen[1].subtracting(settings))")
            #expect(seen[2].isSubset(of: ["cert.pem", "certs", "openssl.cnf"]), "\(seen[2])")
            #expect(lines[start + 3] == "0")
            #expect(log.contains("CapEff:\t0000000000000000"), "\(log)")
            #expect(log.contains("CapBnd:\t0000000000000000"), "\(log)")
            #expect(log.contains("NoNewPrivs:\t1"), "\(log)")
        }
    }

    @Test func `files that are in memory are bounded, and nothing else of it can be written`()
        async throws
    {
        try await withTemporaryFolder { folder in
            let room = try await MirrorRoom(in: folder)
            let (run, log) = try await Self.build(
                """
                fill() { dd if=/dev/zero of="$1" bs=1M count=300 2>/dev/null && exit 1; rm -f "$1"; }
                fill /tmp/x; fill /var/tmp/x; fill /dev/shm/x
                for place in / /dev /usr /usr/local/etc /etc /var; do
                  [ -d "$place" ] || continue
                  (echo x > "$place/made") 2>/dev/null && { echo "wrote in $place"; exit 1; }
                done
                echo x > /tmp/y; echo x > /var/tmp/y; echo x > /dev/null; echo x > made
                """,
                in: room,
            ) { $0.limits.memory = 256 << 20 }
            #expect(run.state == .succeeded, "\(log)")
        }
    }

    @Test func `a folder that the admin names is shown, for reading, and no other`() async throws {
        try await withTemporaryFolder { folder in
            let room = try await MirrorRoom(in: folder)
            try room.work.write("compiler", to: "../tools/tool")
            try room.work.write("private", to: "../other/file")
            let tools = folder.appending(path: "tools").path()
            let script = """
                cat \(tools)/tool || echo no tool
                test ! -e \(folder.path())other
                touch \(tools)/made 2>/dev/null && exit 1 || true
                """
            let (without, log) = try await Self.build(script, in: room)
            #expect(without.state == .succeeded && log.contains("\nno tool\n"), "\(log)")
            var change = MirrorChange()
            change.readFolders = [tools]
            try room.store.changeMirrors { register in
                try register.change(try room.mirror().name) { try? change.apply(to: &$0) }
            }
            let again = try #require(try await room.buildByHand { $0.branch = "main" }.first)
            let shown = try room.log(of: again)
            #expect(again.state == .succeeded && shown.contains("\ncompiler"), "\(shown)")
        }
    }

    /// Even if the build runs as the same user, and tries to remove the cover.
    @Test func `the store and the keys are covered in a folder that is shown`() async throws {
        try await withTemporaryFolder { folder in
            let room = try await MirrorRoom(in: folder)
            try room.work.write("server's key", to: "../tls/server.key")
            try room.work.write("certificate\n", to: "../tls/server.pem")
            try FileManager.default.createSymbolicLink(
                atPath: folder.appending(path: "link").path(),
                withDestinationPath: folder.appending(path: "tls").path(),
            )
            let place = folder.path()
            let (run, log) = try await Self.build(
                """
                cat \(place)tls/server.pem
                test ! -s \(place)tls/server.key
                test ! -e \(place)store/store.json
                test ! -e \(place)store/keys
                ls -A \(place)store
                unshare -Urm sh -c 'umount \(place)store || umount -l \(place)store' 2>/dev/null && exit 1
                unshare -Urm sh -c 'cat \(place)store/store.json; umount \(place)tls/server.key; cat \(place)tls/server.key' 2>/dev/null || true
                test ! -e \(place)store/store.json
                echo fine > made && cat made
                """,
                in: room,
                hiding: [place + "link/server.key"],
            ) { $0.readableFolders = [place] }
            #expect(run.state == .succeeded, "\(run) \(log)")
            #expect(log.contains("\ncertificate"), "\(log)")
            #expect(!log.contains("server's key") && !log.contains("schema"), "\(log)")
            // Of the store, only the path to the build's own folder is visible.
            #expect(log.contains("\nmirrors\n"), "\(log)")
        }
    }

    @Test func `a folder that lies in the store is not shown, whoever names it`() async throws {
        try await withTemporaryFolder { folder in
            let room = try await MirrorRoom(in: folder)
            let keys = folder.appending(path: "store/keys").path()
            try room.work.write("secret", to: "../store/keys/x")
            let (run, log) = try await Self.build("test ! -e \(keys)/x", in: room) {
                $0.readableFolders = [keys]
            }
            #expect(run.state == .succeeded, "\(log)")
        }
    }

    @Test func `a swarm of processes behind bwrap ends with its step`() async throws {
        try await withTemporaryFolder { folder in
            let room = try await MirrorRoom(in: folder)
            let (run, log) = try await Self.build(
                """
                for i in $(seq 1 200); do (setsid env -i /bin/sh -c 'trap "" TERM; while :; do /bin/sleep 5; done' &) ; done
                sleep 300
                """,
                in: room,
            ) { $0.limits.buildSeconds = 3 }
            #expect(run.state == .failed, "\(log)")
            let mark = try #require(run.mark)
            #expect(await ProcessMark(mark).killAll() == 0)
            #expect(
                !FileManager.default.fileExists(atPath: folder.path() + "store/mirrors/app.work/1")
            )
        }
    }

    @Test func `what is no folder to be shown is refused`() throws {
        for path in ["/", "", "opt", "/proc/1", "/dev", "/sys/x", "/opt/../etc", "//", "/a\u{1B}b"]
        {
            var change = MirrorChange()
            change.readFolders = [path]
            #expect(throws: MirrorRefusal.self, "\(path)") { try change.check() }
        }
    }
}
