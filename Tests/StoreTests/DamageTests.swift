import Bundles
import Cryptography
import Foundation
import Identifiers
import Releases
import Store
import StoreFixtures
import TestSupport
import Testing

/// Documents that cannot be read are reported, never skipped, and never replaced.
struct DamageTests {
    @Test(arguments: StorePlace.Kind.allCases)
    func `every document that is cut short is an error with its path`(
        kind: StorePlace.Kind
    ) async throws {
        try await withStore(in: kind) { store, place in
            for name in ["app.json", "releases/1.0-1.json"] {
                let path = "apps/com.example.forks/" + name
                let whole = try #require(place.bytes(at: path))
                // Without its last brace and line feed it is not JSON. How that is read does not depend on
                // the back end, and takes long if each read is a request.
                let step = kind.engine == nil ? 1 : 211
                for count in stride(from: 0, to: whole.count - 2, by: step) {
                    try place.put(whole.prefix(count), at: path)
                    let fresh = try place.open()
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
                    guard case .unreadable(let named, _, _) = failure else {
                        Issue.record("\(count) bytes of \(name): \(String(describing: failure))")
                        return
                    }
                    #expect(named == "apps/com.example.forks/\(name)")
                    #expect(place.bytes(at: path)?.count == count)
                }
                try place.put(whole, at: path)
            }
        }
    }

    @Test(arguments: StorePlace.Kind.allCases)
    func `the place of the damage is told in bytes`(kind: StorePlace.Kind) async throws {
        try await withStore(in: kind) { _, place in
            let path = "devices.json"
            try place.put(#"{"schema": 1, "devices": [}"#.utf8, at: path)
            #expect(
                throws: StoreFailure.unreadable(
                    path: "devices.json",
                    offset: 26,
                    reason: "it is not valid JSON",
                )
            ) { try place.open().devices() }
            try place.put(#"{"schema": 1, "devices": 7}"#.utf8, at: path)
            #expect(
                throws: StoreFailure.unreadable(
                    path: "devices.json",
                    offset: nil,
                    reason: "devices has the wrong type",
                )
            ) { try place.open().devices() }
        }
    }

    @Test(arguments: StorePlace.Kind.allCases)
    func `random damage never crashes and never changes the file`(
        kind: StorePlace.Kind
    ) async throws {
        try await withStore(in: kind) { store, place in
            let path = "apps/com.example.forks/app.json"
            let whole = try #require(place.bytes(at: path))
            // Each takes some forty requests to a remote store.
            let count = kind.engine == nil ? 400 : 4
            for damaged in SeededDamage.flips(of: whole, count: count, seed: 62) {
                try place.put(damaged, at: path)
                let app = try StoredRelease().identifier
                _ = try place.open().apps()
                _ = try? StoredRelease().publish(into: place.open())
                if (try? place.open().app(app)) == nil {
                    #expect(place.bytes(at: path) == damaged)
                }
            }
        }
    }

    @Test(arguments: StorePlace.Kind.allCases)
    func `a later schema is refused before anything else is looked at`(
        kind: StorePlace.Kind
    ) async throws {
        try await withStore(in: kind) { _, place in
            let path = "store.json"
            try place.put(#"{"schema": 2, "new": []}"#.utf8, at: path)
            #expect(throws: StoreFailure.newerSchema(path: "store.json", found: 2, known: 1)) {
                try place.open()
            }
            #expect(throws: StoreFailure.newerSchema(path: "store.json", found: 2, known: 1)) {
                try place.openOrCreate()
            }
        }
    }

    @Test func `a folder with other files, or a lost store.json, is not begun anew`() async throws {
        try await withStore(in: .folder) { _, place in
            let root = place.root
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

    @Test(arguments: StorePlace.Kind.allCases)
    func `a broken register is not replaced by a change`(kind: StorePlace.Kind) async throws {
        try await withStore(in: kind) { store, place in
            let path = "devices.json"
            try place.put("{".utf8, at: path)
            #expect(throws: StoreFailure.self) { try store.changeDevices { _ in } }
            #expect(place.bytes(at: path) == Array("{".utf8))
        }
    }

    @Test(arguments: StorePlace.Kind.allCases)
    func `the generation before a broken one comes back`(kind: StorePlace.Kind) async throws {
        try await withStore(in: kind) { store, place in
            var next = StoredRelease()
            next.build = "2"
            next.contents = "two"
            next.date += 1
            _ = try next.publish(into: store)
            let path = "apps/com.example.forks/app.json"
            try place.put("{".utf8, at: path)
            let fresh = try place.open()
            #expect(try fresh.apps().isEmpty && fresh.appListing().failures.count == 1)
            for _ in 0..<2 {
                try fresh.restorePrevious("apps/com.example.forks/app.json")
                #expect(try fresh.apps().first?.channels[.stable]?.rawValue == "1.0-1")
            }
            #expect(throws: StoreFailure.self) { try fresh.restorePrevious("tokens.json") }
        }
    }

    @Test(
        arguments: StorePlace.Kind.allCases,
        [
            "devices.json", "tokens.json", "slugs.json", "webhooks.json", "keys/capability.key",
            "apps/com.example.forks/app.json",
        ],
    )
    func `a backup names each document that is damaged, and has the rest`(
        kind: StorePlace.Kind,
        file: String,
    ) async throws {
        try await withStore(in: kind) { store, place in
            _ = try store.capabilityKey()
            try store.changeDevices { _ in }
            try store.changeTokens { _ in }
            try place.put("{garbage".utf8, at: file)
            let backup = place.beside + ".tar"
            let summary = try StoreBackup.write(place.open(), to: backup)
            #expect(summary.problems.map(\.place) == [file])
            let restored = try StoreRestore.run(from: backup, into: place.beside + "-restored")
            #expect(restored.problems.map(\.place) == [file])
            #expect(restored.documents == summary.documents && restored.blobs == summary.blobs)
        }
    }

    @Test(arguments: StorePlace.Kind.allCases)
    func `verify names everything that is wrong`(kind: StorePlace.Kind) async throws {
        try await withStore(in: kind) { store, place in
            var other = StoredRelease()
            other.app = "com.example.pare"
            other.contents = "pare"
            let pare = try other.publish(into: store).release
            let forks = try #require(try store.releases(of: StoredRelease().identifier).first)
            try place.rot(forks.sha256)
            try place.remove(StorePlace.path(of: pare.sha256))
            try place.remove("apps/com.example.forks/releases/1.0-1.json")
            try place.put("{".utf8, at: "devices.json")
            let journal = "activity/2027-01.jsonl"
            let lines = try #require(place.bytes(at: journal))
            try place.put("{]".utf8 + lines.dropFirst(2), at: journal)
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
