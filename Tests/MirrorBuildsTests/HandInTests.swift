import Foundation
import MirrorBuilds
import Mirrors
import Runners
import TestSupport
import Testing
import Zip

/// Archives that a runner delivers, which are not trusted.
@Suite struct HandInTests {
    private static let pipeline = """
        runs-on: mac
        steps: [run: make]
        artifacts: [build/*.txt, out, "deep/**/*.log"]
        """

    /// Delivers an archive for a new build of the mirror.
    private static func build(_ archive: [UInt8], in room: MirrorRoom) async throws -> MirrorRun {
        _ = try await room.ask()
        let runner = try StandInRunner(in: room)
        return try await room.build {
            try runner.finish(await runner.lease(), archive: archive)
        }
    }

    @Test func `an archive with two meanings, or that leads elsewhere, is refused as a whole`()
        async throws
    {
        try await withTemporaryFolder { folder in
            let room = try await MirrorRoom(in: folder)
            try await room.prepareMirror(Self.pipeline) { $0.limits.fileBytes = 1 << 20 }
            let outside = folder.appending(path: "outside")
            try FileManager.default.createDirectory(
                at: outside,
                withIntermediateDirectories: true,
            )
            let bad = Array("bad".utf8)
            var damaged = try ZipWriter.archive {
                try $0.add("build/a.txt", contents: Array("what it was".utf8), method: .stored)
            }
            damaged[45] ^= 1
            let whole = try ZipWriter.archive { try $0.add("build/a.txt", contents: bad) }
            let archives: [(String, [UInt8])] = [
                ("up", try ZipWriter.archive { try $0.add("../evil.txt", contents: bad) }),
                ("up within", try ZipWriter.archive { try $0.add("out/../../e", contents: bad) }),
                (
                    "absolute",
                    try ZipWriter.archive {
                        try $0.add(outside.path() + "/evil.txt", contents: bad)
                    },
                ),
                (
                    "twice",
                    try ZipWriter.archive {
                        try $0.add("build/a.txt", contents: bad)
                        try $0.add("build/a.txt", contents: bad)
                    },
                ),
                (
                    "through a link",
                    try ZipWriter.archive {
                        try $0.addSymbolicLink("out", target: outside.path())
                        try $0.add("out/evil.txt", contents: bad)
                    },
                ),
                (
                    "too large",
                    try ZipWriter.archive {
                        try $0.add("build/a.txt", contents: Array(repeating: 0, count: 2 << 20))
                    },
                ),
                ("damaged", damaged), ("cut", Array(whole.dropLast(10))), ("no archive", bad),
            ]
            for (name, archive) in archives {
                let run = try await Self.build(archive, in: room)
                #expect(run.state == .failed, "\(name): \(run)")
                #expect(
                    run.reason?.hasPrefix("the server refused the files of runner mini: ") == true,
                    "\(name): \(run.reason ?? "")",
                )
                #expect(run.artifacts.isEmpty)
                let work = folder.appending(path: "store/mirrors/app.work/\(run.number)").path()
                #expect(!FileManager.default.fileExists(atPath: work))
            }
            let there = try FileManager.default.contentsOfDirectory(atPath: outside.path())
            #expect(there.isEmpty)
            #expect(!FileManager.default.fileExists(atPath: folder.path() + "evil.txt"))
            #expect(try room.leftovers == [])
        }
    }

    @Test func `only what the pipeline names is taken, and nothing through a link`() async throws {
        try await withTemporaryFolder { folder in
            let room = try await MirrorRoom(in: folder)
            let pipeline = """
                steps:
                  - run: make
                    runs-on: mac
                  - run: |
                      for name in other.txt build/.hidden.txt out/leak out/root out/nested/.git; do
                        if [ -e $name ] || [ -L $name ]; then echo "$name is there"; exit 1; fi
                      done
                      if grep 'ev[i]l' .git/config .ota/pipeline.yml; then exit 1; fi
                      if [ -u out/tool ]; then exit 1; fi
                      test -x out/tool
                      test "$(readlink out/in)" = tool
                artifacts: [build/*.txt, out, "deep/**/*.log"]
                """
            try await room.prepare(pipeline)
            let evil = Array("evil".utf8)
            let archive = try ZipWriter.archive { zip in
                try zip.add("build/a.txt", contents: Array("a".utf8))
                try zip.add("build/.hidden.txt", contents: evil)
                try zip.add("other.txt", contents: evil)
                try zip.add(".git/config", contents: evil)
                try zip.add(".ota/pipeline.yml", contents: evil)
                try zip.add("deep/b.log", contents: Array("b".utf8))
                try zip.add("deep/er/c.log", contents: Array("c".utf8))
                try zip.add("deep/er/c.txt", contents: evil)
                try zip.add("out/tool", contents: Array("t".utf8), mode: 0o4755)
                try zip.add("out/nested/.git/config", contents: evil)
                try zip.addSymbolicLink("out/in", target: "tool")
                try zip.addSymbolicLink("out/leak", target: "../../../../etc/passwd")
                try zip.addSymbolicLink("out/root", target: "/etc/passwd")
            }
            let runner = try StandInRunner(in: room)
            let run = try await room.build {
                try runner.finish(await runner.lease(), archive: archive)
            }
            #expect(run.state == .succeeded, "\(run)")
            #expect(
                run.artifacts.map(\.path) == ["build/a.txt", "out", "deep/b.log", "deep/er/c.log"]
            )
            let log = try room.log(of: run)
            #expect(
                log.contains("note: 4 more files were left out: no artifact pattern"),
                "\(log)",
            )
            #expect(log.contains("note: 2 files were left out: nothing in .git"), "\(log)")
            #expect(log.contains("warning: out/leak was left out"))
        }
    }

    @Test func `a link that the commit brings is not written through`() async throws {
        try await withTemporaryFolder { folder in
            let room = try await MirrorRoom(in: folder)
            let outside = folder.appending(path: "outside")
            try FileManager.default.createDirectory(
                at: outside,
                withIntermediateDirectories: true,
            )
            try FileManager.default.createSymbolicLink(
                at: room.work.folder.appending(path: "build"),
                withDestinationURL: outside,
            )
            try await room.prepare(Self.pipeline) { $0.makesSymbolicLinks = true }
            let archive = try ZipWriter.archive {
                try $0.add("build/a.txt", contents: Array("evil".utf8))
            }
            let runner = try StandInRunner(in: room)
            let run = try await room.build {
                let held = try await runner.lease()
                #expect(held.stage.symbolicLinks == true)
                try runner.finish(held, archive: archive)
            }
            #expect(run.state == .failed, "\(run)")
            let there = try FileManager.default.contentsOfDirectory(atPath: outside.path())
            #expect(there.isEmpty)
        }
    }

    @Test func `symbols and logs that shrink to a thousandth are taken, within the mirror's disk`()
        async throws
    {
        try await withTemporaryFolder { folder in
            let room = try await MirrorRoom(in: folder)
            // Larger than the size up to which an IPA's compression ratio is not limited.
            let size = 257 << 20
            try await room.prepareMirror(Self.pipeline) { $0.limits.diskBytes = 1 << 30 }
            let archive = try ZipWriter.archive {
                try $0.add("build/a.txt", contents: Array(repeating: 0x20, count: size))
            }
            #expect(archive.count * 100 < size)
            let taken = try await Self.build(archive, in: room)
            #expect(taken.reason == nil, "\(taken)")
            #expect(taken.artifacts.first?.path == "build/a.txt")
        }
    }
}
