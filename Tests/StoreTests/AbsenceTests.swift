import Access
import Bundles
import Cryptography
import Foundation
import Identifiers
import Releases
import StoreFixtures
import TestSupport
import Testing

@testable import Store

/// Documents that are missing although there must be one: damage, and never an empty start.
struct AbsenceTests {
    private static let app = "apps/com.example.forks/app.json"
    private static let date = Date(timeIntervalSince1970: 1_800_000_000)

    @Test(arguments: StorePlace.Kind.allCases, [true, false])
    func `a lost app opens to nobody`(kind: StorePlace.Kind, isKept: Bool) async throws {
        try await withStore(in: kind) { store, place in
            let identifier = try StoredRelease().identifier
            try store.changeApp(identifier) { $0.access = .enrolled }
            try place.remove(Self.app)
            // Its releases and its name prove its existence, as its previous version does.
            if !isKept { try place.remove(Self.app + "@previous") }
            let fresh = try place.open()
            let lost = StoreFailure.lost(try DocumentName(path: Self.app))
            #expect(throws: lost) { try fresh.app(identifier) }
            #expect(throws: lost) { try fresh.app(slug: #require(Slug("forks"))) }
            #expect(try fresh.appListing().failures == [identifier: lost])
            #expect(try fresh.verify().problems.map(\.place) == [Self.app])
            #expect(throws: StoreFailure.self) { try fresh.collect(olderThan: 0) }
            var next = StoredRelease()
            next.build = "2"
            next.contents = "two"
            #expect(throws: lost) { try next.publish(into: fresh) }
            #expect(throws: lost) { try StoredRelease().publish(into: fresh) }
        }
    }

    @Test(arguments: StorePlace.Kind.allCases)
    func `a lost app comes back closed`(kind: StorePlace.Kind) async throws {
        try await withStore(in: kind) { store, place in
            let identifier = try StoredRelease().identifier
            try store.changeApp(identifier) { $0.access = .enrolled }
            try place.remove(Self.app)
            let fresh = try place.open()
            // The previous version is open to anyone.
            #expect(try fresh.restorePrevious(Self.app).isClosed)
            #expect(try fresh.app(identifier)?.access == .enrolled)
            #expect(try fresh.verify().problems.isEmpty)
            // A record that can be read is restored as it was.
            try fresh.changeApp(identifier) { $0.access = .open }
            try fresh.changeApp(identifier) { $0.title = "Spoons" }
            #expect(try !fresh.restorePrevious(Self.app).isClosed)
            #expect(try fresh.app(identifier)?.access == .open)
        }
    }

    @Test(arguments: StorePlace.Kind.allCases, [1, 2])
    func `a lost register is never empty`(kind: StorePlace.Kind, changes: Int) async throws {
        try await withStore(in: kind) { store, place in
            try addDevices(changes, to: store)
            try store.changeTokens { register in
                _ = try register.create(
                    name: "ci",
                    scopes: [Scope(.admin)],
                    expires: nil,
                    at: Self.date,
                    random: { [UInt8](repeating: 7, count: $0) },
                )
            }
            for file in ["devices.json", "tokens.json", "profiles.json", "slugs.json"] {
                let whole = try #require(place.bytes(at: file))
                try place.remove(file)
                let fresh = try place.open()
                let lost = StoreFailure.lost(try DocumentName(file))
                #expect(throws: lost) {
                    _ = try fresh.devices()
                    _ = try fresh.tokens()
                    _ = try fresh.profiles()
                    _ = try fresh.app(slug: #require(Slug("nothing")))
                }
                #expect(throws: lost) {
                    try fresh.changeDevices { try $0.rename(udid(0), to: "another \(file)") }
                    try fresh.changeTokens { $0 = TokenRegister() }
                    try fresh.changeProfiles { $0 = ProfileRegister() }
                    _ = try fresh.claimSlug(for: "Forks", by: #require(BundleIdentifier("a.b")))
                }
                #expect(place.bytes(at: file) == nil)
                #expect(try fresh.verify().problems.map(\.place) == [file])
                try fresh.restorePrevious(file)
                #expect(try fresh.verify().problems.isEmpty)
                try place.put(whole, at: file)
            }
        }
    }

    @Test(arguments: StorePlace.Kind.allCases)
    func `a register of which nothing is left is lost, until it is told to begin empty`(
        kind: StorePlace.Kind
    ) async throws {
        try await withStore(in: kind) { store, place in
            try addDevices(1, to: store)
            let name = try DocumentName("devices.json")
            #expect(throws: StoreFailure.present(name)) { try store.abandon(name.path) }
            try place.remove(name.path)
            let fresh = try place.open()
            #expect(throws: StoreFailure.lost(name)) { try fresh.abandon(name.path) }
            try place.remove(name.path + "@previous")
            #expect(throws: StoreFailure.lost(name)) { try fresh.devices() }
            #expect(throws: StoreFailure.lost(name)) { try addDevices(1, to: fresh) }
            #expect(try fresh.verify().problems.map(\.place) == [name.path])
            #expect(throws: StoreFailure.lost(name)) { try fresh.collect(olderThan: 0) }
            #expect(throws: StoreFailure.noEarlierGeneration(name)) {
                try fresh.restorePrevious(name.path)
            }
            for other in ["store.json", "never.json", "apps/com.example.forks/app.json"] {
                #expect(throws: StoreFailure.missing(path: other)) { try fresh.abandon(other) }
            }
            try fresh.abandon(name.path)
            #expect(try fresh.devices().devices.isEmpty)
            #expect(try fresh.verify().problems.isEmpty)
            try addDevices(1, to: fresh)
            #expect(try fresh.settings(isCurrent: true).hasBegun(name.path))
        }
    }

    @Test(arguments: StorePlace.Kind.allCases)
    func `what was made but once is lost too, and comes back as it was`(
        kind: StorePlace.Kind
    ) async throws {
        try await withStore(in: kind) { store, place in
            let release = "apps/com.example.forks/releases/1.0-1.json"
            let key = try store.capabilityKey()
            for file in [release, "keys/capability.key"] {
                let whole = try #require(place.bytes(at: file))
                try place.remove(file)
                let fresh = try place.open()
                #expect(try fresh.verify().problems.map(\.id).contains("store.lost-document"))
                #expect(throws: StoreFailure.lost(try DocumentName(path: file))) {
                    _ = try fresh.capabilityKey()
                    _ = try fresh.release(
                        ReleaseIdentifier(version: "1.0", build: "1"),
                        of: StoredRelease().identifier,
                    )
                }
                try fresh.restorePrevious(file)
                #expect(place.bytes(at: file) == whole)
            }
            #expect(try place.open().capabilityKey() == key)
        }
    }

    @Test(arguments: StorePlace.Kind.allCases)
    func `what is deleted is not missing`(kind: StorePlace.Kind) async throws {
        try await withStore(in: kind) { store, place in
            try addDevices(2, to: store)
            let udid = try udid(1)
            try store.changeDevices { try $0.forget(udid) }
            var next = StoredRelease()
            next.build = "2"
            next.contents = "two"
            _ = try next.publish(into: store)
            let first = ReleaseIdentifier(version: "1.0", build: "1")
            #expect(try store.removeRelease(first, of: next.identifier, by: "tests", at: .now))
            _ = try store.collect(olderThan: 0)
            let fresh = try place.open()
            #expect(try fresh.release(first, of: next.identifier) == nil)
            #expect(try fresh.verify().problems.isEmpty)
            // A register that has forgotten a device is still missed if it is lost.
            try place.remove("devices.json")
            #expect(throws: StoreFailure.self) { try place.open().devices() }
            try fresh.restorePrevious("devices.json")
            #expect(try fresh.devices().devices.map(\.name) == ["Phone 0"])
            // The release may be published again, too.
            #expect(try StoredRelease().publish(into: fresh).isCreated)
        }
    }

    @Test(arguments: StorePlace.Kind.allCases)
    func `a store of an earlier version learns what must be there`(
        kind: StorePlace.Kind
    ) async throws {
        try await withStore(in: kind) { store, place in
            try addDevices(1, to: store)
            for path in try place.paths()
            where path.hasSuffix("@previous") {
                try place.remove(path)
            }
            try store.backend.keepEarlierGenerations()
            try place.remove("devices.json")
            #expect(throws: StoreFailure.self) { try place.open().devices() }
        }
    }

    @Test(arguments: ["moved away", "emptied"])
    func `a store whose disk is gone is not an empty one`(how: String) async throws {
        try await withStore(in: .folder) { store, place in
            let root = place.root
            let release = ReleaseIdentifier(version: "1.0", build: "1")
            let identifier = try StoredRelease().identifier
            try FileManager.default.moveItem(atPath: root, toPath: root + "-away")
            if how == "emptied" {
                try FileManager.default.createDirectory(
                    atPath: root,
                    withIntermediateDirectories: false,
                )
            }
            usleep(250_000)
            let gone = StoreFailure.gone(path: root)
            #expect(throws: gone) { try store.apps() }
            #expect(throws: gone) { try store.app(slug: #require(Slug("forks"))) }
            #expect(throws: gone) { try store.release(release, of: identifier) }
            #expect(throws: gone) { try store.tokens() }
            #expect(throws: gone) { try store.activity(count: 1) }
            #expect(throws: gone) { try store.open(SHA256Digest(of: [1])) }
            #expect(throws: gone) { try addDevices(1, to: store) }
            #expect(throws: gone) { try store.put([1]) }
            #expect(throws: gone) {
                try store.backend.append([1], to: DocumentName("a", "b.jsonl"))
            }
            // Nothing is written where the disk was mounted.
            let there = try? FileManager.default.contentsOfDirectory(atPath: root)
            #expect(there ?? [] == [])
            if how == "emptied" { try FileManager.default.removeItem(atPath: root) }
            try FileManager.default.moveItem(atPath: root + "-away", toPath: root)
            #expect(try store.release(release, of: identifier) != nil)
        }
    }

    @Test(arguments: StorePlace.Kind.allCases)
    func `one damaged app keeps no other from view`(kind: StorePlace.Kind) async throws {
        try await withStore(in: kind) { store, place in
            var other = StoredRelease()
            other.app = "com.example.pare"
            other.name = "Pare"
            other.contents = "pare"
            _ = try other.publish(into: store)
            try place.put([], at: Self.app)
            let fresh = try place.open()
            #expect(try fresh.apps().map(\.title) == ["Pare"])
            #expect(try fresh.app(slug: #require(Slug("pare")))?.title == "Pare")
            #expect(try fresh.app(slug: #require(Slug("nothing"))) == nil)
            #expect(throws: StoreFailure.self) { try fresh.app(slug: #require(Slug("forks"))) }
            #expect(try fresh.releases(of: other.identifier).count == 1)
        }
    }

    // MARK: Parts

    private func udid(_ number: Int) throws -> DeviceUDID {
        try #require(DeviceUDID("00008030-001A2B3C4D5E6F7\(number)"))
    }

    private func addDevices(_ count: Int, to store: OTAStore, from first: Int = 0) throws {
        for number in first..<first + count {
            let udid = try udid(number)
            try store.changeDevices { register in
                try register.add(
                    Device(udid: udid, name: "Phone \(number)", family: .iphone, added: Self.date),
                    at: Self.date,
                )
            }
        }
    }

    private func withStore(
        in kind: StorePlace.Kind,
        _ body: (OTAStore, StorePlace) throws -> Void,
    ) async throws {
        try await withPlace(kind) { place in
            let store = try place.openOrCreate(now: Self.date)
            _ = try StoredRelease().publish(into: store)
            try body(store, place)
        }
    }
}
