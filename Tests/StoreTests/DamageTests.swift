import Bundles
import Cryptography
import Foundation
import Identifiers
import Releases
import Store
import StoreFixtures
import TestSupport
import Testing

/// Documents that cannot be read: named, never skipped, never replaced.
struct DamageTests {
    @Test func `every document that is cut short is an error with its path`() async throws {
        try await withStore { store, root in
            for name in ["app.json", "releases/1.0-1.json"] {
                let path = root + "/apps/com.example.forks/" + name
                let whole = try Data(contentsOf: URL(filePath: path))
                // Without its last brace and line feed it is no JSON any more.
                for count in 0..<whole.count - 2 {
                    try Data(whole.prefix(count)).write(to: URL(filePath: path))
                    let fresh = try OTAStore.open(at: root)
                    let failure = #expect(throws: StoreFailure.self) {
                        let app = try StoredRelease().identifier
                        _ = try fresh.app(app)
                        _ = try fresh.release(
                            ReleaseIdentifier(version: "1.0", build: "1"),
                            of: app,
                        )
                    }
                    let listed = try fresh.appListing()
                    let releases = try fresh.releaseListing(of: StoredRelease().identifier)
                    #expect(Array(listed.failures.values) + releases.failures == [failure])
                    guard case .unreadable(let place, _, _) = failure else {
                        Issue.record("\(count) bytes of \(name): \(String(describing: failure))")
                        return
                    }
                    #expect(place == "apps/com.example.forks/\(name)")
                    #expect(try Data(contentsOf: URL(filePath: path)).count == count)
                }
                try whole.write(to: URL(filePath: path))
            }
        }
    }

    @Test func `the place of the damage is told in bytes`() async throws {
        try await withStore { _, root in
            let path = root + "/devices.json"
            try Data(#"{"schema": 1, "devices": [}"#.utf8).write(to: URL(filePath: path))
            #expect(
                throws: StoreFailure.unreadable(
                    path: "devices.json",
                    offset: 26,
                    reason: "it is not valid JSON",
                )
            ) { try OTAStore.open(at: root).devices() }
            try Data(#"{"schema": 1, "devices": 7}"#.utf8).write(to: URL(filePath: path))
            #expect(
                throws: StoreFailure.unreadable(
                    path: "devices.json",
                    offset: nil,
                    reason: "devices has the wrong type",
                )
            ) { try OTAStore.open(at: root).devices() }
        }
    }

    @Test func `random damage never crashes and never changes the file`() async throws {
        try await withStore { store, root in
            let path = root + "/apps/com.example.forks/app.json"
            let whole = Array(try Data(contentsOf: URL(filePath: path)))
            for damaged in SeededDamage.flips(of: whole, count: 400, seed: 62) {
                try Data(damaged).write(to: URL(filePath: path))
                let app = try StoredRelease().identifier
                _ = try OTAStore.open(at: root).apps()
                _ = try? StoredRelease().publish(into: OTAStore.open(at: root))
                if (try? OTAStore.open(at: root).app(app)) == nil {
                    #expect(try Array(Data(contentsOf: URL(filePath: path))) == damaged)
                }
            }
        }
    }

    @Test func `a later schema is refused before anything else is looked at`() async throws {
        try await withStore { _, root in
            let path = root + "/store.json"
            try Data(#"{"schema": 2, "new": []}"#.utf8).write(to: URL(filePath: path))
            #expect(throws: StoreFailure.newerSchema(path: "store.json", found: 2, known: 1)) {
                try OTAStore.open(at: root)
            }
            #expect(throws: StoreFailure.newerSchema(path: "store.json", found: 2, known: 1)) {
                try OTAStore.openOrCreate(at: root, now: .now)
            }
        }
    }

    @Test func `a folder with other files, or a lost store.json, is not begun anew`() async throws {
        try await withStore { _, root in
            try FileManager.default.removeItem(atPath: root + "/store.json")
            for second in ["store.json", "store.json@previous"] {
                if second != "store.json" {
                    try FileManager.default.removeItem(atPath: root + "/" + second)
                }
                let failure =
                    second == "store.json"
                    ? StoreFailure.lost(try DocumentName("store.json"))
                    : StoreFailure.notAStore(path: root)
                #expect(throws: failure) { try OTAStore.openOrCreate(at: root, now: .now) }
                #expect(throws: failure) { try OTAStore.open(at: root) }
            }
        }
    }

    @Test func `a store that is not there is said to be missing`() async throws {
        try await withTemporaryFolder { folder in
            let path = folder.path() + "nothing"
            #expect(throws: StoreFailure.missing(path: path)) { try OTAStore.open(at: path) }
            #expect(!FileManager.default.fileExists(atPath: path))
        }
    }

    @Test func `a broken register is not replaced by a change`() async throws {
        try await withStore { store, root in
            let path = root + "/devices.json"
            try Data("{".utf8).write(to: URL(filePath: path))
            #expect(throws: StoreFailure.self) { try store.changeDevices { _ in } }
            #expect(try String(contentsOfFile: path, encoding: .utf8) == "{")
        }
    }

    @Test func `the generation before a broken one comes back`() async throws {
        try await withStore { store, root in
            var next = StoredRelease()
            next.build = "2"
            next.contents = "two"
            next.date += 1
            _ = try next.publish(into: store)
            let path = root + "/apps/com.example.forks/app.json"
            try Data("{".utf8).write(to: URL(filePath: path))
            let fresh = try OTAStore.open(at: root)
            #expect(try fresh.apps().isEmpty && fresh.appListing().failures.count == 1)
            for _ in 0..<2 {
                try fresh.restorePrevious("apps/com.example.forks/app.json")
                #expect(try fresh.apps().first?.channels[.stable]?.rawValue == "1.0-1")
            }
            #expect(throws: StoreFailure.self) { try fresh.restorePrevious("tokens.json") }
        }
    }

    @Test(arguments: [
        "devices.json", "tokens.json", "slugs.json", "webhooks.json", "keys/capability.key",
        "apps/com.example.forks/app.json",
    ])
    func `a backup names each document that is damaged, and has the rest`(file: String) async throws
    {
        try await withStore { store, root in
            _ = try store.capabilityKey()
            try store.changeDevices { _ in }
            try store.changeTokens { _ in }
            try Data("{garbage".utf8).write(to: URL(filePath: root + "/" + file))
            let backup = root + ".tar"
            let summary = try StoreBackup.write(OTAStore.open(at: root), to: backup)
            #expect(summary.problems.map(\.place) == [file])
            let restored = try StoreRestore.run(from: backup, into: root + "-restored")
            #expect(restored.problems.map(\.place) == [file])
            #expect(restored.documents == summary.documents && restored.blobs == summary.blobs)
        }
    }

    @Test func `verify names everything that is wrong`() async throws {
        try await withStore { store, root in
            var other = StoredRelease()
            other.app = "com.example.pare"
            other.contents = "pare"
            let pare = try other.publish(into: store).release
            let forks = try #require(try store.releases(of: StoredRelease().identifier).first)
            try rot(forks.sha256.description, in: root)
            try FileManager.default.removeItem(atPath: blob(pare.sha256.description, in: root))
            try FileManager.default.removeItem(
                atPath: root + "/apps/com.example.forks/releases/1.0-1.json"
            )
            try Data("{".utf8).write(to: URL(filePath: root + "/devices.json"))
            let handle = try #require(
                FileHandle(forWritingAtPath: root + "/activity/2027-01.jsonl")
            )
            try handle.write(contentsOf: Data("{]".utf8))
            try handle.close()
            let found = try store.verify()
            #expect(
                Set(found.problems.map(\.id)) == [
                    "store.damaged-blob", "store.missing-blob", "store.lost-document",
                    "store.unreadable",
                ]
            )
            #expect(found.problems.count == 5)
            #expect(found.problems.allSatisfy { !$0.fix.isEmpty && !$0.place.isEmpty })
            #expect(try store.activityListing(count: 10).failures.count == 1)
        }
    }

    private func blob(_ hex: String, in root: String) -> String {
        "\(root)/blobs/sha256/\(hex.prefix(2))/\(hex)"
    }

    private func rot(_ hex: String, in root: String) throws {
        let url = URL(filePath: blob(hex, in: root))
        var bytes = try Data(contentsOf: url)
        bytes[0] ^= 1
        try bytes.write(to: url)
    }

    private func withStore(_ body: (OTAStore, String) throws -> Void) async throws {
        try await withTemporaryFolder { folder in
            let root = folder.path() + "store"
            let store = try OTAStore.openOrCreate(at: root, now: .now)
            _ = try StoredRelease().publish(into: store)
            try body(store, root)
        }
    }
}
