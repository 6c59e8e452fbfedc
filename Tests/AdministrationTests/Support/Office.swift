import APIDocuments
import Administration
import Bundles
import Foundation
import Identifiers
import Releases
import Store
import StoreFixtures
import TestSupport
import Testing

/// A store with an admin who acts on it.
struct Office {
    static let date = Date(timeIntervalSince1970: 1_800_000_000)

    let store: OTAStore
    let ada: Administrator
    /// The store's folder.
    let path: String

    static func open(_ body: (Office) async throws -> Void) async throws {
        try await withTemporaryFolder { folder in
            let path = folder.path(percentEncoded: false)
            let store = try OTAStore.openOrCreate(at: path, now: date)
            let ada = Administrator(of: store, named: "Ada", clock: { date })
            try await body(Office(store: store, ada: ada, path: path))
        }
    }

    /// One of a few invented identifiers.
    static func udid(_ number: Int) throws -> DeviceUDID {
        try #require(DeviceUDID("00008120-00000000000000" + String(10 + number)))
    }

    /// Publishes the `number`th release of the app of ``StoredRelease``.
    func publish(_ number: Int = 1) throws -> (app: AppRecord, release: Release) {
        var stored = StoredRelease()
        stored.version = "1.\(number)"
        stored.contents = "IPA \(number)"
        let published = try stored.publish(into: store)
        let app = try #require(try store.app(published.release.bundleIdentifier))
        return (app, published.release)
    }

    /// Enrols a device, which then waits for approval.
    func enrol(_ number: Int, named name: String) throws -> DeviceUDID {
        let udid = try Self.udid(number)
        try store.changeDevices { register in
            try register.enrol(
                Newcomer(
                    udid: udid,
                    name: name,
                    model: "iPhone15,2",
                    os: nil,
                    invited: Self.date,
                    by: "Ada",
                ),
                at: Self.date,
            )
        }
        return udid
    }

    /// The activity, newest first, as `event subject`.
    func journal() throws -> [String] {
        try store.activity(count: 50).map { "\($0.event.rawValue) \($0.subject)" }
    }
}
