import Bytes
package import Essentials
package import Cryptography
package import Releases
import Synchronization

/// Everything that `ota` keeps, typed: apps, releases, devices, profiles, activity, installs, keys,
/// blobs.
///
/// A class behind a lock and not an actor, because every call is either answered from memory or
/// blocks on the disk: the server decides on which thread that may happen, and the command line
/// starts without a hop. What must be exact is decided by the back end, so several stores, in one
/// process or in many, may be open on one folder.
package final class OTAStore: Sendable {
    package let backend: any Backend
    let cache: DocumentCache
    let installs: InstallJournals
    let reports = ReportsInMemory()
    let proofs = BlobProofs()
    /// Icons and reports of a store elsewhere; 16 MB of them.
    let smallBlobs = Mutex(RecentValues<SHA256Digest, [UInt8]>(limit: 16 << 20))

    /// A value in memory is checked again after `interval`.
    package init(backend: any Backend, interval: Duration = .milliseconds(200)) {
        self.backend = backend
        cache = DocumentCache(backend: backend, interval: interval)
        installs = InstallJournals(backend: backend)
    }

    /// Forgets every value in memory, so that each is read again when it is needed next.
    package func forgetValues() { cache.forgetAll() }

    /// Opens the store in a folder; see ``open(on:)``.
    package static func open(at path: String) throws(StoreFailure) -> OTAStore {
        try open(on: DirectoryBackend(root: path))
    }

    /// Opens the store in a folder, or makes one there when the folder is absent or empty.
    package static func openOrCreate(at path: String, now: Date) throws(StoreFailure) -> OTAStore {
        try systemCall { () throws(SystemFailure) in try Folder.make(path) }
        return try openOrCreate(on: DirectoryBackend(root: path), now: now)
    }

    /// Opens the store that a back end has.
    ///
    /// - Throws: ``StoreFailure/notAStore(path:)`` for a place with something else in it, and
    ///   ``StoreFailure/missing(path:)`` when there is none. A `store.json` that cannot be read is an
    ///   error too, and never a reason to start over.
    package static func open(on backend: any Backend) throws(StoreFailure) -> OTAStore {
        let store = OTAStore(backend: backend)
        guard try backend.stamp(of: .settings) != nil else {
            throw try backend.obstacle() ?? .missing(path: backend.location)
        }
        _ = try store.settings()
        backend.noteStore()
        // Elsewhere that is a request, and whoever reads journals has it done first.
        if !backend.isElsewhere { backend.completeEntries() }
        return store
    }

    /// Opens the store that a back end has, or makes one where there is nothing yet.
    package static func openOrCreate(
        on backend: any Backend,
        now: Date,
    ) throws(StoreFailure) -> OTAStore {
        if try backend.stamp(of: .settings) == nil {
            if let obstacle = try backend.obstacle() { throw obstacle }
            let settings = StoreSettings(
                instance: SHA256Digest(of: randomBytes(32)).shortText,
                created: now,
            )
            // Where another process is quicker, its settings count.
            _ = try backend.writes(
                DocumentCoding.encode(settings, for: .settings),
                to: .settings,
                if: .absent,
            )
        }
        return try open(on: backend)
    }

    /// What the whole store shares.
    ///
    /// - Parameter isCurrent: whether the document is checked even if it was a moment ago.
    /// - Returns: the settings.
    /// - Throws: ``StoreFailure/missing(path:)`` where there is no store, and what reading throws.
    package func settings(isCurrent: Bool = false) throws(StoreFailure) -> StoreSettings {
        let known = try value(StoreSettings.self, .settings, isCurrent: isCurrent)
        guard let settings = known else {
            throw .missing(path: DocumentName.settings.path)
        }
        return settings
    }

    /// The further authorities whose profiles count.
    ///
    /// - Parameter isCurrent: as in ``settings(isCurrent:)``.
    /// - Returns: the certificates, in the order of the settings.
    /// - Throws: ``StoreFailure/unreadable(path:offset:reason:)`` for one that is no certificate.
    package func anchors(isCurrent: Bool = false) throws(StoreFailure) -> [Certificate] {
        var found: [Certificate] = []
        for (index, text) in try settings(isCurrent: isCurrent).anchors.enumerated() {
            do throws(MalformedCertificate) {
                found += try Certificate.chain(pem: text)
            } catch {
                throw .unreadable(
                    path: DocumentName.settings.path,
                    offset: nil,
                    reason: "the authority \(index + 1) of anchors is damaged: \(error)",
                )
            }
        }
        return found
    }

    /// Changes what the whole store shares; see ``change(_:else:_:)``.
    @discardableResult
    package func changeSettings(
        _ change: (inout StoreSettings) throws -> Void,
        recording: () throws -> [Activity] = { [] },
    ) throws -> StoreSettings {
        try self.change(.settings, else: nil, change, recording: recording).value
    }
}

extension DocumentName {
    package static let settings = DocumentName(known: "store.json")
}

extension SHA256Digest {
    fileprivate var shortText: String { String(description.prefix(32)) }
}
