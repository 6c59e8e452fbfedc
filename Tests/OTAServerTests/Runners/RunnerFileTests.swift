import Cryptography
import Foundation
import GitRepositories
import Identifiers
import Mirrors
import Runners
import TestSupport
import Testing

/// Logs, archives, bundles, and the end of a stage.
@Suite(.timeLimit(.minutes(10)))
struct RunnerFileTests {
    @Test func `a log grows where the server says`() async throws {
        try await RunnerSite.run { site in
            try site.offer()
            _ = try await site.poll()
            let first = try await site.piece("log", Array("one\n".utf8), at: 0)
            #expect(first.status == 200 && first.json("logBytes") as? Int == 4)
            #expect(first.json("cancel") as? Bool == false)
            // The piece is sent again because the response was lost, or begins too late.
            for offset in [0, 3, 5, 1_000_000] {
                let wrong = try await site.piece("log", Array("two\n".utf8), at: offset)
                #expect(wrong.status == 409 && wrong.errorID == "runner.wrong-offset")
                #expect(wrong.json("logBytes") as? Int == 4)
            }
            #expect(try await site.piece("log", Array("two\n".utf8), at: 4).status == 200)
            #expect(try site.bytes(ofLog: 1) == Array("one\ntwo\n".utf8))
            let beat = try await site.beat(#"[{"index": 0, "state": "running"}]"#)
            #expect(beat.json("logBytes") as? Int == 8 && beat.json("archiveBytes") as? Int == 0)
            #expect(try site.stage().attempts.last?.steps.map(\.state) == [.running])
            #expect(try await site.beat(#"[{"index": 5, "state": "running"}]"#).status == 422)
            #expect(try await site.piece("log", [1], at: -1).status == 422)
            let large = [UInt8](repeating: 65, count: 1 << 20 + 1)
            #expect(try await site.piece("log", large, at: 8).status == 413)
        }
    }

    @Test func `a log ends at its limit, with a line that says so`() async throws {
        try await RunnerSite.run { site in
            try site.offer(logBytes: 10)
            _ = try await site.poll()
            let first = try await site.piece("log", Array("12345678".utf8), at: 0)
            #expect(first.json("logFull") as? Bool == false)
            let second = try await site.piece("log", Array("90abcdef".utf8), at: 8)
            #expect(
                second.json("logBytes") as? Int == 16 && second.json("logFull") as? Bool == true
            )
            // The response was lost: the agent has to learn where its own bytes end.
            let again = try await site.piece("log", Array("90abcdef".utf8), at: 8)
            #expect(again.status == 409 && again.json("logBytes") as? Int == 10)
            #expect(try await site.beat().json("logBytes") as? Int == 10)
            let third = try await site.piece("log", Array("more".utf8), at: 16)
            #expect(third.status == 200 && third.json("logBytes") as? Int == 20)
            let text = String(decoding: try site.bytes(ofLog: 1), as: UTF8.self)
            #expect(
                text == "1234567890\n… the log is longer than 10 bytes, so the rest is left out\n"
            )
        }
    }

    @Test func `a piece that is cut stays as far as the server says`() async throws {
        try await RunnerSite.run { site in
            try site.offer(diskBytes: 4 << 20)
            _ = try await site.poll()
            let archive = TestSite.bytes(count: 2 << 20)
            func known() async throws -> Int {
                try await site.beat().json("archiveBytes") as? Int ?? 0
            }
            try await WireClient.secure(site.site) { client in
                let fields = [
                    "Authorization": "Bearer \(site.token)", "Content-Length": "\(archive.count)",
                    "Content-Type": "application/octet-stream",
                ]
                let path = "/api/v1/runner" + RunnerSite.path() + "/archive?offset=0"
                try await client.send(
                    Array(UploadSite.head("PATCH", path, fields).utf8) + archive.prefix(1 << 20)
                )
                for _ in 0..<500 {
                    guard try await known() == 0 else { break }
                    try await Task.sleep(for: .milliseconds(20))
                }
                await client.cut()
            }
            var count = try await known()
            #expect((1...1 << 20).contains(count))
            // More of it may have arrived than the server has acknowledged.
            for _ in 0..<10 where count < archive.count {
                let answer = try await site.piece("archive", Array(archive[count...]), at: count)
                #expect([200, 409].contains(answer.status), "\(answer.text)")
                count = try #require(answer.json("archiveBytes") as? Int)
            }
            #expect(try site.bytes(ofArchive: 1) == archive)
            #expect(try await site.finish(archive).status == 200)
        }
    }

    @Test func `an archive is whole, or not taken`() async throws {
        try await RunnerSite.run { site in
            try site.offer()
            _ = try await site.poll()
            let archive = TestSite.bytes(count: 90_000)
            let half = archive.count / 2
            #expect(try await site.piece("archive", Array(archive[..<half]), at: 0).status == 200)
            let early = try await site.finish(archive)
            #expect(early.status == 409 && early.errorID == "runner.incomplete")
            let wrong = try await site.piece("archive", [1], at: 0)
            #expect(wrong.status == 409 && wrong.json("archiveBytes") as? Int == half)
            let rest = try await site.piece("archive", Array(archive[half...]), at: half)
            #expect(rest.json("archiveBytes") as? Int == archive.count)
            let other = try await site.finish(archive, saying: SHA256Digest(of: [1]))
            #expect(other.status == 409 && other.errorID == "runner.wrong-digest")
            #expect(try site.bytes(ofArchive: 1) == nil)
            #expect(try site.stage().state == .leased)
            #expect(try await site.piece("archive", archive, at: 0).status == 200)
            #expect(try await site.finish(archive).status == 200)
            let stage = try site.stage()
            #expect(stage.state == .finished && stage.outcome?.archiveBytes == archive.count)
            #expect(try site.bytes(ofArchive: 1) == archive)
            // The response was lost.
            #expect(try await site.finish(archive).status == 200)
            #expect(try await site.finish(nil, ending: "failed").status == 410)
            #expect(try await site.piece("archive", [1], at: archive.count).status == 410)
            #expect(try site.stage() == stage)
            #expect(try await site.poll().status == 204)
        }
    }

    @Test func `nobody hands in more than the build may`() async throws {
        try await RunnerSite.run { site in
            try site.offer(diskBytes: 1000)
            _ = try await site.poll()
            let large = try await site.piece("archive", [UInt8](repeating: 1, count: 1001), at: 0)
            #expect(large.status == 413 && large.errorID == "runner.too-large")
            let full = [UInt8](repeating: 1, count: 1000)
            #expect(try await site.piece("archive", full, at: 0).status == 200)
            #expect(try await site.piece("archive", [1], at: 1000).status == 413)
            let report = [UInt8](repeating: 32, count: 256 << 10 + 1)
            #expect(try await site.send("POST", RunnerSite.path() + "/beat", report).status == 413)
            let odd = try await site.send("POST", RunnerSite.path() + "/beat", Array("[]".utf8))
            #expect(odd.status == 400 && odd.errorID == "request.malformed")
        }
    }

    @Test func `a failure needs no archive, and leaves none`() async throws {
        try await RunnerSite.run { site in
            try site.offer()
            _ = try await site.poll()
            #expect(try await site.piece("archive", [1, 2, 3], at: 0).status == 200)
            #expect(try await site.finish(nil, ending: "failed").status == 200)
            #expect(try site.stage().outcome?.ending == .failed)
            #expect(try site.bytes(ofArchive: 1) == nil)
        }
    }

    @Test func `a build that no longer wants its stage says so`() async throws {
        try await RunnerSite.run { site in
            try site.offer()
            _ = try await site.poll()
            try site.store.changeStage(of: 1, site.mirror) { $0.state = .withdrawn }
            let beat = try await site.beat()
            #expect(beat.status == 200 && beat.json("cancel") as? Bool == true)
            #expect(try await site.piece("log", [65], at: 0).status == 410)
            #expect(try await site.finish(nil, ending: "cancelled").status == 410)
            try site.store.removeStage(of: 1, site.mirror)
            #expect(try await site.beat().status == 410)
        }
    }

    @Test func `the commit comes as a bundle, with all tags that lead to it`() async throws {
        try await withTemporaryFolder { folder in
            try await RunnerSite.run { site in
                let work = try await TestRepository(at: folder.appending(path: "work"))
                let first = try await work.commit("Begin", ["a": "1"])
                try await work.git("tag", "-a", "-m", "one", "v1.0.0")
                let second = try await work.commit("Go on", ["a": "2"])
                try await work.git("tag", "v2.0.0")
                try await work.commit("Later", ["a": "3"])
                try await work.git("tag", "v3.0.0")
                let mirror = Mirror(
                    name: site.mirror,
                    address: try MirrorAddress(checking: work.path + "/.git", allowsFiles: true),
                    added: Date(),
                    by: "ana",
                    tags: Mirror.defaultTags,
                    branches: Mirror.defaultBranches,
                )
                let path = try MirrorFolders(of: site.store).repository(site.mirror)
                try await TestRepository.git(
                    ["clone", "--quiet", "--bare", work.path, path],
                    in: folder,
                )
                try site.store.changeMirrors { try $0.add(mirror) }
                try site.offer(commit: second)
                _ = try await site.poll()
                let client = folder.appending(path: "client")
                try FileManager.default.createDirectory(
                    at: client,
                    withIntermediateDirectories: true,
                )
                try await TestRepository.git(["init", "--quiet", "--template="], in: client)
                let unknown = String(repeating: "7", count: 40)
                for (known, least) in [("", first), ("?have=\(first),\(unknown)", second)] {
                    let answer = try await site.send("GET", RunnerSite.path() + "/bundle" + known)
                    #expect(answer.status == 200, "\(answer.text)")
                    #expect(answer.fields["content-type"] == "application/x-git-bundle")
                    #expect(answer.fields["ota-tags"] == "all")
                    let file = folder.appending(path: "bundle").path()
                    try Data(answer.body).write(to: URL(filePath: file))
                    try await TestRepository.git(
                        [
                            "fetch", "--quiet", "--force", file,
                            "+refs/heads/build:refs/ota/build", "+refs/tags/*:refs/tags/*",
                        ],
                        in: client,
                    )
                    let found = try await TestRepository.git(
                        ["rev-parse", "refs/ota/build"],
                        in: client,
                    )
                    #expect(found == second)
                    let tags = try await TestRepository.git(["tag"], in: client)
                    #expect(tags == "v1.0.0\nv2.0.0")
                    try await TestRepository.git(["cat-file", "-e", least], in: client)
                }
                // If the runner knows all commits, the bundle is sent nevertheless.
                let all = try await site.send(
                    "GET",
                    RunnerSite.path() + "/bundle?have=\(second),nonsense",
                )
                #expect(all.status == 200)
                // No temporary reference is left in the mirror.
                let names = try await TestRepository.git(
                    ["for-each-ref", "--format=%(refname)", "refs/ota/"],
                    in: URL(filePath: path),
                )
                #expect(names.isEmpty)
                let bundles = try MirrorFolders(of: site.store).bundles(of: site.mirror)
                #expect(try FileManager.default.contentsOfDirectory(atPath: bundles).isEmpty)
            }
        }
    }

    @Test func `files of earlier steps are there for a runner`() async throws {
        try await RunnerSite.run { site in
            try site.offer()
            try site.offer(2, hasFiles: true)
            _ = try await site.poll()
            let none = try await site.send("GET", RunnerSite.path() + "/files")
            #expect(none.status == 404 && none.errorID == "runner.no-files")
            #expect(try await site.finish(nil).status == 200)
            #expect(try await site.poll().json("build") as? Int == 2)
            let path = try MirrorFolders(of: site.store).stageInput(2, of: site.mirror)
            try FileManager.default.createDirectory(
                at: URL(filePath: path).deletingLastPathComponent(),
                withIntermediateDirectories: true,
            )
            let bytes = TestSite.bytes(count: 600_000)
            try Data(bytes).write(to: URL(filePath: path))
            let answer = try await site.send("GET", RunnerSite.path(2) + "/files")
            #expect(answer.status == 200 && answer.body == bytes)
            #expect(answer.fields["content-type"] == "application/zip")
        }
    }
}
