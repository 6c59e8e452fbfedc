import Foundation
import Identifiers
import Jobs
import Releases
import Sample
import Store
import TestSupport
import Testing

/// A process that is killed at any change during a signing; the next process completes the signing as if
/// nothing had happened.
///
/// What a kill during a single change leaves is tested with the store. A normal run tests a few of the
/// changes, `OTA_EVERY_FAULT=1` tests all.
struct KilledSigningTests {
    @Test func `whatever change a process dies at, the next one signs once and loses nothing`()
        async throws
    {
        try await withTemporaryFolder { folder in
            let room = try SigningRoom(in: folder)
            let job = try room.queue([try room.profile(devices: 3)])
            let whole = try await sign(room, in: copy(room, "whole"), dyingAfter: 1000)
            try check(room, job, in: folder.path() + "whole", "not killed")
            #expect(whole > 8, "it makes some changes")
            let isAll = ProcessInfo.processInfo.environment["OTA_EVERY_FAULT"] != nil
            for count in stride(from: 0, to: whole, by: isAll ? 1 : 3) {
                let root = try copy(room, "\(count)")
                let made = try await sign(room, in: root, dyingAfter: count)
                #expect(made == count, "it died there")
                try leaveBehind(job, in: root)
                // The next server.
                _ = try await sign(room, in: root, dyingAfter: 1000)
                try check(room, job, in: root, "killed after \(count) changes")
                try FileManager.default.removeItem(atPath: root)
            }
        }
    }

    @Test func `what a killed process left of a build goes, whatever becomes of its job`()
        async throws
    {
        try await withTemporaryFolder { folder in
            let room = try SigningRoom(in: folder)
            let job = try room.queue([try room.profile(devices: 3)])
            let root = try copy(room, "store2")
            _ = try await sign(room, in: root, dyingAfter: 1)
            try leaveBehind(job, in: root)
            let store = try OTAStore.open(at: root)
            try store.changeJob(job.identifier, at: room.date + 7300) { job in
                job.state = .cancelled
                job.next = nil
            }
            _ = try await sign(room, in: root, dyingAfter: 1000)
            #expect(try incoming(root).isEmpty)
            #expect(try store.job(job.identifier)?.state == .cancelled)
            #expect(
                try store.release(room.release.identifier, of: room.release.bundleIdentifier)
                    == room.release
            )
        }
    }

    /// Copies the room's store.
    private func copy(_ room: SigningRoom, _ name: String) throws -> String {
        let root = room.folder.path() + name
        try FileManager.default.copyItem(atPath: room.folder.path() + "store", toPath: root)
        return root
    }

    /// Runs the due jobs on a disk that accepts the given number of changes.
    ///
    /// - Returns: how many changes there were.
    private func sign(
        _ room: SigningRoom,
        in root: String,
        dyingAfter count: Int,
    ) async throws -> Int {
        let backend = DyingBackend(try DirectoryBackend(root: root), after: count)
        let store = OTAStore(backend: backend, interval: .zero)
        let signer = SignerInProcess(
            identity: room.authority.distribution,
            anchors: room.anchors,
        )
        let now = room.date + 7300
        let worker = SigningWorker(store, by: signer, clock: { now }) { [anchors = room.anchors] in
            anchors
        }
        _ = try? await JobRunner(store, workers: [.sign: worker], clock: { now }).work()
        return count - max(backend.remaining, 0)
    }

    /// Creates the files that a killed process leaves behind.
    private func leaveBehind(_ job: Job, in root: String) throws {
        let folder = root + "/incoming"
        try FileManager.default.createDirectory(
            atPath: folder,
            withIntermediateDirectories: true,
        )
        for end in ["", ".partial"] {
            let file = URL(filePath: "\(folder)/signing-\(job.identifier).ipa\(end)")
            try Data("half of a build".utf8).write(to: file)
        }
    }

    private func incoming(_ root: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: root + "/incoming")
    }

    private func check(_ room: SigningRoom, _ job: Job, in root: String, _ what: String) throws {
        let store = try OTAStore.open(at: root)
        let ended = try #require(try store.job(job.identifier))
        #expect(ended.state == .done && ended.devices == 3, "\(what): \(ended.reason ?? "")")
        let release = try #require(
            try store.release(room.release.identifier, of: room.release.bundleIdentifier)
        )
        #expect(release.signings?.count == 1 && release.lastSigning?.devices == 3, "\(what)")
        #expect(
            try store.activity(count: 100).count { $0.event == .signedAgain } == 1,
            "\(what)",
        )
        #expect(try incoming(root).isEmpty, "\(what)")
        // What the first attempt made and nothing refers to is garbage, and nothing else is.
        _ = try store.collect(olderThan: 0)
        #expect(try store.verify().problems == [], "\(what)")
        #expect(try store.open(release.sha256).size == release.size, "\(what)")
        #expect(try store.open(room.release.sha256).size == room.release.size, "\(what)")
    }
}
