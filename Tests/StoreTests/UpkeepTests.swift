import Bundles
import Bytes
import Cryptography
import Foundation
import Identifiers
import Releases
import StoreFixtures
import Synchronization
import TestSupport
import Testing

@testable import Store

/// Garbage collection, backup and restore.
struct UpkeepTests {
    @Test(arguments: StorePlace.Kind.allCases)
    func `collecting takes what no release refers to, and nothing young`(
        kind: StorePlace.Kind
    ) async throws {
        try await withStore(in: kind) { store, _ in
            let kept = try StoredRelease().publish(into: store).release
            let stray = try store.put(Array("nobody needs this".utf8))
            #expect(try store.verify().unreferenced == 1)
            #expect(try store.collect(olderThan: 60).blobs == 0)
            #expect(try store.collect(olderThan: 0, isDryRun: true).blobs == 1)
            #expect(try store.backend.facts(of: stray) != nil)
            let collection = try store.collect(olderThan: 0)
            #expect(collection.blobs == 1 && collection.bytes == 17)
            #expect(try store.backend.facts(of: stray) == nil)
            #expect(try store.backend.facts(of: kept.sha256) != nil)
            #expect(try store.verify().problems.isEmpty)
        }
    }

    @Test(arguments: StorePlace.Kind.local)
    func `what is put again while it is collected stays`(kind: StorePlace.Kind) async throws {
        try await withStore(in: kind) { store, place in
            let digest = try store.put(Array("old".utf8))
            try place.age(digest, by: 1_000_000)
            try store.put(Array("old".utf8))
            #expect(try store.collect(olderThan: 3600).blobs == 0)
        }
    }

    @Test(arguments: StorePlace.Kind.allCases)
    func `nothing is collected while a document cannot be read`(kind: StorePlace.Kind) async throws
    {
        try await withStore(in: kind) { store, place in
            let release = try StoredRelease().publish(into: store).release
            let path = "apps/com.example.forks/releases/1.0-1.json"
            try place.put("{".utf8, at: path)
            #expect(throws: StoreFailure.self) { try store.collect(olderThan: 0) }
            #expect(try store.backend.facts(of: release.sha256) != nil)
        }
    }

    @Test(arguments: StorePlace.Kind.allCases)
    func `a backup restores to the same store`(kind: StorePlace.Kind) async throws {
        try await withStore(in: kind) { store, place in
            try fill(store)
            let key = try store.capabilityKey()
            let backup = place.beside + "-backup.tar"
            let summary = try StoreBackup.write(store, to: backup)
            #expect(summary.blobs == 12)
            let target = place.beside + "-restored"
            #expect(try StoreRestore.run(from: backup, into: target) == summary)
            let restored = try OTAStore.open(at: target)
            #expect(try restored.verify().problems.isEmpty)
            #expect(try restored.apps() == store.apps())
            #expect(try restored.settings() == store.settings())
            #expect(try restored.activity(count: 99) == store.activity(count: 99))
            #expect(try restored.capabilityKey() == key)
            let mode = try #require(try Folder.status(target + "/keys/capability.key")).st_mode
            #expect(mode & 0o777 == 0o600)
        }
    }

    @Test(arguments: StorePlace.Kind.allCases)
    func `what is published while the store is verified is no problem`(
        kind: StorePlace.Kind
    ) async throws {
        try await withStore(in: kind) { store, place in
            _ = try StoredRelease().publish(into: store)
            let number = Mutex(1)
            let busy = CountingBackend(try place.backend()) { folder in
                guard folder == "apps/com.example.forks/releases" else { return }
                var next = StoredRelease()
                next.build = number.withLock { number in
                    number += 1
                    return "\(number)"
                }
                next.contents = "IPA \(next.build)"
                _ = try? next.publish(into: OTAStore(backend: place.backend()))
            }
            #expect(try OTAStore(backend: busy).verify().problems.isEmpty)
            #expect(number.withLock { $0 } > 1)
        }
    }

    @Test func `other tools read a backup and check it`() async throws {
        guard FileManager.default.isExecutableFile(atPath: "/usr/bin/tar") else { return }
        try await withStore(in: .folder) { store, place in
            let root = place.root
            try fill(store)
            let backup = root + "-backup.tar"
            try _ = StoreBackup.write(store, to: backup)
            try Folder.make(root + "-unpacked")
            let script = "tar xf \(backup) && sha256sum --check --quiet SHA256SUMS && echo fine"
            let outcome = try Publisher.run("/bin/sh", ["-c", "cd \(root)-unpacked && \(script)"])
            #expect(outcome.output == "fine\n")
        }
    }

    @Test func `a restore goes into an empty folder only`() async throws {
        try await withStore(in: .folder) { store, place in
            let root = place.root
            let backup = root + "-backup.tar"
            _ = try StoreBackup.write(store, to: backup)
            #expect(throws: StoreFailure.notEmpty(path: root)) {
                try StoreRestore.run(from: backup, into: root)
            }
        }
    }

    @Test func `no prefix of a backup becomes a store`() async throws {
        try await withStore(in: .folder) { store, place in
            let root = place.root
            try fill(store)
            let backup = root + "-backup.tar"
            _ = try StoreBackup.write(store, to: backup)
            let whole = Array(try Data(contentsOf: URL(filePath: backup)))
            var lengths = Array(stride(from: 0, to: whole.count - 1024, by: 4096 + 512))
            lengths += [1, 511, 513, whole.count - 1025]
            for length in lengths {
                try expectRefusal(Array(whole.prefix(length)), beside: root)
            }
        }
    }

    @Test func `no altered backup becomes a store`() async throws {
        try await withStore(in: .folder) { store, place in
            let root = place.root
            _ = try StoredRelease().publish(into: store)
            let backup = root + "-backup.tar"
            _ = try StoreBackup.write(store, to: backup)
            let whole = Array(try Data(contentsOf: URL(filePath: backup)))
            for damaged in SeededDamage.flips(of: whole, count: 120, seed: 68) {
                let target = root + "-target"
                try Data(damaged).write(to: URL(filePath: backup))
                do {
                    try StoreRestore.run(from: backup, into: target)
                    // Only in padding can a changed byte be without effect.
                    #expect(try OTAStore.open(at: target).verify().problems.isEmpty)
                    #expect(try OTAStore.open(at: target).apps() == store.apps())
                } catch is StoreFailure {
                    #expect(throws: StoreFailure.self) { try OTAStore.open(at: target) }
                }
                try? FileManager.default.removeItem(atPath: target)
            }
        }
    }

    @Test func `a backup cannot write outside its folder`() async throws {
        try await withStore(in: .folder) { _, place in
            let root = place.root
            let evil = Array("evil".utf8)
            let backup = root + "-evil.tar"
            for path in ["../evil", "/evil", "a/../../evil", "keys/../../evil"] {
                var bytes = Tar.header(path: path, size: evil.count) + evil
                bytes += Tar.padding(after: evil.count) + Tar.end
                try Data(bytes).write(to: URL(filePath: backup))
                #expect(throws: StoreFailure.unusableName(path)) {
                    try StoreRestore.run(from: backup, into: root + "-target")
                }
            }
        }
    }

    @Test func `long names and large sizes survive the headers`() throws {
        let long =
            "apps/com.example.app/releases/" + String(repeating: "1.", count: 90) + "0-1.json"
        let bytes = Tar.header(path: long, size: 3) + [1, 2, 3] + Tar.padding(after: 3) + Tar.end
        var reader = TarReader(MemorySource(bytes), named: "test")
        let entry = try #require(try reader.next())
        #expect(entry.path == long && entry.size == 3)
        #expect(try reader.bytes(at: entry.offset, count: 3) == [1, 2, 3])
        #expect(try reader.next() == nil)
    }

    @Test func `an erased device is in no earlier generation either`() async throws {
        try await withStore(in: .folder) { store, place in
            let root = place.root
            let udid = try #require(DeviceUDID("00008030-001A2B3C4D5E6F70"))
            let date = Date(timeIntervalSince1970: 1_800_000_000)
            try store.changeDevices { register in
                try register.add(
                    Device(udid: udid, name: "Nora", family: .iphone, added: date),
                    at: date,
                )
            }
            try store.changeDevices { try $0.rename(udid, to: "Nora's phone") }
            try store.changeDevices { try $0.forget(udid) }
            // Comparing bytes is many times faster than comparing characters of a locale.
            let script = "LC_ALL=C grep -ril 001A2B3C4D5E6F70 \(root) | wc -l"
            #expect(try Publisher.run("/bin/sh", ["-c", script]).output == "0\n")
        }
    }

    private func fill(_ store: OTAStore) throws {
        for (index, app) in ["com.example.forks", "com.example.pare"].enumerated() {
            for build in 1...2 {
                var release = StoredRelease()
                release.app = app
                release.build = "\(build)"
                release.contents = "\(app) \(build)"
                release.size = 90_000 * index + 1_000 * build + 17
                release.date += Double(build)
                _ = try release.publish(into: store)
            }
        }
    }

    private func expectRefusal(_ bytes: [UInt8], beside root: String) throws {
        let target = root + "-target"
        let backup = root + "-damaged.tar"
        try Data(bytes).write(to: URL(filePath: backup))
        #expect(throws: StoreFailure.self, "\(bytes.count) bytes") {
            try StoreRestore.run(from: backup, into: target)
        }
        #expect(throws: StoreFailure.self, "\(bytes.count) bytes") { try OTAStore.open(at: target) }
        try? FileManager.default.removeItem(atPath: target)
    }

    private func withStore(
        in kind: StorePlace.Kind,
        _ body: (OTAStore, StorePlace) throws -> Void,
    ) async throws {
        try await withPlace(kind) { place in
            try body(place.openOrCreate(), place)
        }
    }
}
