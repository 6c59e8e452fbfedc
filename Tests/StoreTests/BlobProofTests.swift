import Cryptography
import Foundation
import Identifiers
import Releases
import Store
import StoreFixtures
import TestSupport
import Testing

/// Corrupted blobs are detected, not served, and left out of backups.
struct BlobProofTests {
    @Test(arguments: StorePlace.Kind.allCases)
    func `a rotten blob is not opened, and one that is put anew is`(
        kind: StorePlace.Kind
    ) async throws {
        try await withStore(in: kind) { store, place in
            let blob = try #require(try store.apps().first.flatMap { try offered($0, store) })
            #expect(try store.isProven(blob) == nil)
            #expect(try store.prove(blob) == true)
            #expect(try store.isProven(blob) == true && store.changedBlobs().isEmpty)
            try place.rot(blob)
            #expect(try store.changedBlobs() == [blob])
            // Its stamp is another file's, so nothing is known about it. In a remote store, which is not
            // asked, the last result still holds.
            let latest = store.isElsewhere
            #expect(try store.isProven(blob) == (latest ? true : nil))
            #expect(try store.prove(blob) == false)
            #expect(try store.rottenBlobs() == [blob])
            let path = try store.backend.open(blob).path ?? blob.description
            #expect(throws: StoreFailure.damagedBlob(blob, path: path)) { try store.open(blob) }
            try store.put(StoredRelease().archive)
            #expect(try store.isProven(blob) == (latest ? false : nil))
            #expect(try store.rottenBlobs().isEmpty)
            #expect(try store.prove(blob) == true)
            _ = try store.open(blob)
        }
    }

    @Test(arguments: StorePlace.Kind.allCases)
    func `a blob that changes while it is read is read again`(kind: StorePlace.Kind) async throws {
        try await withStore(in: kind) { store, place in
            let blob = try store.put([UInt8](repeating: 7, count: 3 << 20))
            var change: (any Error)?
            var pieces = 0
            let found = try store.prove(blob) { _ in
                pieces += 1
                do { if pieces == 1 { try place.rot(blob) } } catch { change = error }
                return true
            }
            #expect(change == nil)
            #expect(found == nil)
            #expect(try store.isProven(blob) == nil && store.changedBlobs() == [blob])
            #expect(try store.prove(blob) == false)
            #expect(try store.changedBlobs().isEmpty)
        }
    }

    @Test(arguments: StorePlace.Kind.allCases)
    func `a reading can be ended and proves nothing then`(kind: StorePlace.Kind) async throws {
        try await withStore(in: kind) { store, _ in
            let blob = try store.put([UInt8](repeating: 7, count: 3 << 20))
            var pieces = 0
            let found = try store.prove(blob) { _ in
                pieces += 1
                return pieces < 2
            }
            #expect(found == nil && pieces == 2)
            #expect(try store.isProven(blob) == nil)
        }
    }

    @Test(arguments: StorePlace.Kind.allCases)
    func `what is rotten or lost keeps nothing else from being backed up`(
        kind: StorePlace.Kind
    ) async throws {
        try await withStore(in: kind) { store, place in
            var other = StoredRelease()
            other.app = "com.example.pare"
            other.contents = "pare"
            let pare = try other.publish(into: store).release
            let forks = try #require(try store.releases(of: StoredRelease().identifier).first)
            try place.rot(forks.sha256)
            try place.put("{".utf8, at: "devices.json")
            try place.put("{".utf8, at: "apps/com.example.pare/app.json")
            try place.remove("profiles.json")
            let backup = place.beside + "-backup.tar"
            let summary = try StoreBackup.write(store, to: backup)
            #expect(
                Set(summary.problems.map(\.id)) == [
                    "store.damaged-blob", "store.unreadable", "store.lost-document",
                ]
            )
            let target = place.beside + "-restored"
            let restored = try StoreRestore.run(from: backup, into: target)
            #expect(restored == summary)
            let opened = try OTAStore.open(at: target)
            #expect(try opened.apps().map(\.title) == ["Forks"])
            #expect(try opened.prove(pare.sha256) == true)
            #expect(try opened.backend.facts(of: forks.sha256) == nil)
            // Damage that is not named in the backup did not come from the store.
            #expect(throws: StoreFailure.self) { try opened.devices() }
        }
    }

    private func offered(_ app: AppRecord, _ store: OTAStore) throws -> SHA256Digest? {
        try store.release(on: .stable, of: app)?.sha256
    }

    private func withStore(
        in kind: StorePlace.Kind,
        _ body: (OTAStore, StorePlace) throws -> Void,
    ) async throws {
        try await withPlace(kind) { place in
            let store = try place.openOrCreate()
            _ = try StoredRelease().publish(into: store)
            try body(store, place)
        }
    }
}
