import Bundles
import Foundation
import Identifiers
import Releases
import Store
import StoreFixtures
import Synchronization
import TestSupport
import Testing

/// Several processes that have one store open, such as a server and commands.
struct SharingTests {
    @Test(arguments: StorePlace.Kind.allCases)
    func `a running server soon shows what the command line did`(kind: StorePlace.Kind) async throws
    {
        try await withPlace(kind) { place in
            let server = try place.openOrCreate()
            #expect(try server.apps() == [])
            let commandLine = try place.open()
            for number in 1...4 {
                var release = StoredRelease()
                release.build = "\(number)"
                release.contents = "build \(number)"
                release.date += Double(number)
                _ = try release.publish(into: commandLine)
                let deadline = ContinuousClock.now + .seconds(30)
                var seen: String?
                while seen != "1.0-\(number)", ContinuousClock.now < deadline {
                    seen = try server.apps().first?.channels[.stable]?.rawValue
                    try await Task.sleep(for: .milliseconds(20))
                }
                #expect(seen == "1.0-\(number)")
            }
        }
    }

    @Test(arguments: StorePlace.Kind.allCases)
    func `a process sees at once what it did itself, a first app too`(
        kind: StorePlace.Kind
    ) async throws {
        try await withPlace(kind) { place in
            _ = try place.openOrCreate()
            let store = OTAStore(
                backend: try place.backend(),
                interval: .seconds(3_600),
            )
            #expect(try store.apps() == [])
            _ = try StoredRelease().publish(into: store)
            #expect(try store.apps().count == 1)
        }
    }

    @Test(arguments: StorePlace.Kind.allCases)
    func `what was read before a change is not kept after it`(kind: StorePlace.Kind) async throws {
        try await withPlace(kind) { place in
            _ = try place.openOrCreate()
            let shared = Mutex<OTAStore?>(nil)
            let backend = CountingBackend(try place.backend()) { folder in
                // One process publishes while another one is still reading the list of apps.
                guard folder == "apps", let store = shared.withLock({ $0.take() }) else { return }
                var other = StoredRelease()
                other.app = "com.example.knives"
                #expect(throws: Never.self) { _ = try other.publish(into: store) }
            }
            let store = OTAStore(backend: backend, interval: .seconds(3_600))
            _ = try StoredRelease().publish(into: store)
            shared.withLock { $0 = store }
            #expect(try store.apps().count == 1)
            #expect(try store.apps().count == 2)
        }
    }

    @Test(arguments: StorePlace.Kind.allCases)
    func `publishing lists nothing and reads the same few documents every time`(
        kind: StorePlace.Kind
    ) async throws {
        try await withPlace(kind) { place in
            _ = try place.openOrCreate()
            var reads: [Int] = []
            for number in 1...5 {
                let counting = CountingBackend(try place.backend())
                var release = StoredRelease()
                release.build = "\(number)"
                release.contents = "build \(number)"
                release.date += Double(number)
                _ = try release.publish(into: OTAStore(backend: counting))
                // A new app reads the others, to choose its slug.
                if number > 1 { #expect(counting.listed == []) }
                reads.append(counting.read.count)
            }
            #expect(Set(reads.dropFirst()).count == 1)
        }
    }

    @Test func `a page that was shown is shown again without reading`() async throws {
        try await withTemporaryFolder { folder in
            let path = folder.path() + "store"
            _ = try StoredRelease().publish(into: OTAStore.openOrCreate(at: path, now: .now))
            let counting = CountingBackend(try DirectoryBackend(root: path))
            let store = OTAStore(backend: counting)
            // A recent change is read again until its timestamp is reliable.
            try await Task.sleep(for: .milliseconds(2_500))
            for _ in 0..<50 {
                let app = try #require(try store.apps().first)
                #expect(try store.release(on: .stable, of: app) != nil)
                #expect(try store.releases(of: app.bundleIdentifier).count == 1)
            }
            try await Task.sleep(for: .milliseconds(300))
            _ = try store.apps()
            #expect(counting.read.count == 2)
            #expect(counting.listed.count == 2)
        }
    }

    @Test(arguments: StorePlace.Kind.allCases)
    func `what is written quickly twice is still seen`(kind: StorePlace.Kind) async throws {
        try await withPlace(kind) { place in
            let writer = try place.openOrCreate()
            let backend = try place.backend()
            let reader = OTAStore(backend: backend, interval: .zero)
            for number in 0..<200 {
                try writer.changeSettings { $0.anchors = ["\(number)"] }
                #expect(try reader.settings().anchors == ["\(number)"])
            }
        }
    }

    @Test func `changes of several processes are all kept`() async throws {
        let publisher = try #require(Publisher.path, "the CrashingPublisher is not built")
        try await withTemporaryFolder { folder in
            let path = folder.path() + "store"
            let store = try OTAStore.openOrCreate(at: path, now: .now)
            let processes = try (0..<4).map { _ in
                try Publisher.start(publisher, ["count", path, "25"])
            }
            for process in processes { process.waitUntilExit() }
            #expect(processes.map(\.terminationStatus) == [0, 0, 0, 0])
            let backend = try DirectoryBackend(root: path)
            #expect(Set(try OTAStore(backend: backend).settings().anchors).count == 100)
            withExtendedLifetime(store) {}
        }
    }

    @Test func `several processes that open a new store make one`() async throws {
        let publisher = try #require(Publisher.path, "the CrashingPublisher is not built")
        try await withTemporaryFolder { folder in
            let path = folder.path() + "store"
            let processes = try (0..<4).map {
                try Publisher.start(publisher, ["publish", path, "\($0 * 5)", "5"])
            }
            for process in processes { process.waitUntilExit() }
            #expect(processes.map(\.terminationStatus) == [0, 0, 0, 0])
            let store = try OTAStore.open(at: path)
            #expect(try store.releaseIdentifiers(of: StoredRelease().identifier).count == 20)
            #expect(try store.verify().problems == [])
        }
    }

    @Test func `the capability key is made once, for its owner only`() async throws {
        try await withTemporaryFolder { folder in
            let path = folder.path() + "store"
            let store = try OTAStore.openOrCreate(at: path, now: .now)
            let keys = try await withThrowingTaskGroup(of: [UInt8].self) { group in
                for _ in 0..<8 { group.addTask { try OTAStore.open(at: path).capabilityKey() } }
                return try await group.reduce(into: Set<[UInt8]>()) { $0.insert($1) }
            }
            #expect(keys.count == 1)
            #expect(try store.capabilityKey().count == 32)
            let key = path + "/keys/capability.key"
            let attributes = try FileManager.default.attributesOfItem(atPath: key)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: key)
            #expect(try store.verify().problems.map(\.id) == ["store.readable-secret"])
            let backend = try DirectoryBackend(root: path)
            #expect(try backend.tightenSecrets() == [key])
            #expect(try store.verify().problems.isEmpty)
        }
    }
}
