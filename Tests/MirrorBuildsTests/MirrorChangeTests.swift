import APIDocuments
import Administration
import Foundation
import MirrorBuilds
import Mirrors
import Releases
import TestSupport
import Testing
import Versions

@Suite struct MirrorChangeTests {
    @Test func `what an admin trusts stays narrow when more is built`() async throws {
        try await withTemporaryFolder { folder in
            let room = try await MirrorRoom(in: folder)
            var mirror = try room.add()
            var change = MirrorChange()
            change.branches = ["main", "release/*"].compactMap(ReferencePattern.init)
            try change.apply(to: &mirror)
            #expect(
                mirror.trusted.map(\.description) == ["tags/*", "heads/main", "heads/release/*"]
            )

            change = MirrorChange()
            change.trusted = ["tags/v*"].compactMap(ReferencePattern.init)
            try change.apply(to: &mirror)
            change = MirrorChange()
            change.branches = ["feature/*"].compactMap(ReferencePattern.init)
            try change.apply(to: &mirror)
            #expect(mirror.trusted.map(\.description) == ["tags/v*"])
        }
    }

    @Test(arguments: ["main", "v*", "refs/tags/v*"])
    func `what is trusted says what of`(pattern: String) throws {
        var change = MirrorChange()
        change.trusted = [try #require(ReferencePattern(pattern))]
        #expect(
            throws: MirrorRefusal.badSetting("trusted", "patterns such as tags/v* and heads/main")
        ) {
            try change.check()
        }
    }

    @Test func `what is no credential is refused, whatever it is`() throws {
        var secrets = MirrorSecrets()
        let notes = "What is new\n\n- everything\n"
        for path in [
            \MirrorSecretsChange.sshKey, \.knownHosts, \.passwords,
        ] {
            var change = MirrorSecretsChange()
            change[keyPath: path] = notes
            #expect(throws: MirrorRefusal.self) { try change.apply(to: &secrets) }
        }
        #expect(secrets == MirrorSecrets())
        var change = MirrorSecretsChange()
        change.sshKey =
            "-----BEGIN OPENSSH PRIVATE KEY-----\nabc\n-----END OPENSSH PRIVATE KEY-----\n"
        change.knownHosts = "# ours\n[git.example.com]:2222 ssh-ed25519 AAAA a comment\n"
        change.passwords = "https://ci:token@git.example.com\nhttps://ci:other@example.com\n"
        try change.apply(to: &secrets)
        change.passwords = "token\n"
        try change.apply(to: &secrets)
        #expect(secrets.passwords == "token\n")
    }

    @Test func `a line without an end is shown a megabyte at a time`() async throws {
        try await withTemporaryFolder { folder in
            let room = try await MirrorRoom(in: folder)
            try await room.work.commit("Begin")
            try await room.push()
            let mirror = try room.add()
            try await room.sync()
            var build = ManualBuild()
            build.branch = "main"
            let run = try await build.queue(for: mirror, in: room.place, by: "ana")
            let log = room.place.folders.log(run.number, of: mirror.name)
            try FileManager.default.createDirectory(
                atPath: (log as NSString).deletingLastPathComponent,
                withIntermediateDirectories: true,
            )
            try Data(repeating: UInt8(ascii: "."), count: 1 << 20).write(to: URL(filePath: log))
            let reader = LogReader(of: run, in: room.store, room.place.folders)
            #expect(try reader.read(from: 0).bytes.count == 1 << 20)
            #expect(try reader.read(from: 1).bytes.isEmpty)
        }
    }

    @Test(arguments: ["../x", "/etc/passwd", "a/../../b", "../\u{301}x", "a//b", "-x", ""])
    func `a pipeline lies inside the repository`(path: String) {
        var change = MirrorChange()
        change.pipelinePath = path
        #expect(throws: MirrorRefusal.self) { try change.check() }
    }
}
