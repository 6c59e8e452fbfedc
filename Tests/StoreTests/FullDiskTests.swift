import Foundation
import Identifiers
import Releases
import Store
import StoreFixtures
import TestSupport
import Testing

/// Real file systems that are full or read-only; mounting them requires root.
@Suite(.serialized, .enabled(if: Mount.isAllowed, "mounting a file system takes root"))
struct FullDiskTests {
    @Test func `a full disk is named, keeps what was there, and recovers`() async throws {
        try await withMount(["-t", "tmpfs", "-o", "size=600k", "tmpfs"]) { folder in
            let store = try OTAStore.openOrCreate(at: folder + "/store", now: .now)
            var published = 0
            var failure: StoreFailure?
            while failure == nil, published < 100 {
                do {
                    try release(published + 1, size: 60_000).publishQuietly(into: store)
                    published += 1
                } catch let error as StoreFailure {
                    failure = error
                }
            }
            #expect(failure?.id == "store.no-space")
            #expect(failure?.fix.contains("free space") == true)
            #expect(try store.verify().problems.isEmpty)
            #expect(try store.apps().first?.channels[.stable]?.rawValue == "1.0-\(published)")
            let remount = ["-o", "remount,size=4m", folder]
            #expect(try Publisher.run("/bin/mount", remount).status == 0)
            try release(published + 1, size: 60_000).publishQuietly(into: store)
            #expect(try store.apps().first?.channels[.stable]?.rawValue == "1.0-\(published + 1)")
        }
    }

    @Test func `a disk without a free inode is named`() async throws {
        try await withMount(["-t", "tmpfs", "-o", "size=8m,nr_inodes=14", "tmpfs"]) { folder in
            let failure = #expect(throws: StoreFailure.self) {
                let store = try OTAStore.openOrCreate(at: folder + "/store", now: .now)
                for number in 1...20 { try release(number).publishQuietly(into: store) }
            }
            #expect(failure?.id == "store.no-space")
        }
    }

    @Test func `a read-only disk is named and goes on being read`() async throws {
        try await withMount(["-t", "tmpfs", "tmpfs"]) { folder in
            let store = try OTAStore.openOrCreate(at: folder + "/store", now: .now)
            try release(1).publishQuietly(into: store)
            #expect(try Publisher.run("/bin/mount", ["-o", "remount,ro", folder]).status == 0)
            let failure = #expect(throws: StoreFailure.self) {
                try release(2).publishQuietly(into: store)
            }
            #expect(failure?.id == "store.read-only")
            let reopened = try OTAStore.open(at: folder + "/store")
            #expect(try reopened.apps().count == 1)
            #expect(try reopened.verify().problems.isEmpty)
        }
    }

    @Test func `a store whose disk is gone is not begun anew beneath it`() async throws {
        try await withTemporaryFolder { folder in
            let root = folder.path() + "store"
            let store = try OTAStore.openOrCreate(at: root, now: .now)
            try FileManager.default.removeItem(atPath: root)
            #expect(throws: StoreFailure.self) { try release(1).publishQuietly(into: store) }
            #expect(!FileManager.default.fileExists(atPath: root))
        }
    }

    private func release(_ number: Int, size: Int = 100) -> StoredRelease {
        var release = StoredRelease()
        release.build = "\(number)"
        release.contents = "IPA \(number)"
        release.size = size
        release.date += Double(number)
        return release
    }

    private func withMount(_ options: [String], _ body: (String) throws -> Void) async throws {
        try await withTemporaryFolder { folder in
            let place = String(folder.path().dropLast())
            let mounted = try Publisher.run("/bin/mount", options + [place])
            try #require(mounted.status == 0)
            defer { _ = try? Publisher.run("/bin/umount", ["-l", place]) }
            try body(place)
        }
    }
}

extension StoredRelease {
    fileprivate func publishQuietly(into store: OTAStore) throws {
        _ = try publish(into: store)
    }
}

/// Whether file systems may be mounted on this machine.
enum Mount {
    static let isAllowed: Bool = {
        let folder =
            FileManager.default.temporaryDirectory.path() + "ota-mount-\(UUID().uuidString)"
        do {
            try FileManager.default.createDirectory(
                atPath: folder,
                withIntermediateDirectories: false,
            )
            defer { try? FileManager.default.removeItem(atPath: folder) }
            let mounted = try Publisher.run("/bin/mount", ["-t", "tmpfs", "tmpfs", folder])
            guard mounted.status == 0 else { return false }
            return try Publisher.run("/bin/umount", [folder]).status == 0
        } catch {
            return false
        }
    }()
}
