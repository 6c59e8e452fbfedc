import Bytes
package import Essentials
package import Cryptography
package import Releases
import Synchronization

/// The typed contents of a store: apps, releases, devices, profiles, activity, installs, keys and blobs.
///
/// It is a class with locks, not an actor, because every call is either answered from memory or blocks on
/// the disk: the server decides on which thread that may happen, and the command line needs no switch of
/// threads. The backend decides conflicts, so several instances, in one or more processes, can use the same
/// folder.
package final class OTAStore: Sendable {
    package let backend: any Backend
    let cache: DocumentCache
    let installs: InstallJournals
    let reports = ReportsInMemory()
    let proofs = BlobProofs()
    /// Icons and reports of a remote store, at most 16 MiB.
    let smallBlobs = Mutex(RecentValues<SHA256Digest, [UInt8]>(limit: 16 << 20))

    /// A cached value is checked again after `interval`.
    package init(backend: any Backend, interval: Duration = .milliseconds(200)) {
        self.backend = backend
        cache = DocumentCache(backend: backend, interval: interval)
        installs = InstallJournals(backend: backend)
    }

    /// Forgets all cached values.
    package func forgetValues() { cache.forgetAll() }

    /// Opens the store in a folder; see ``open(on:)``.
    package static func open(at path: String) throws(StoreFailure) -> OTAStore {
        try open(on: DirectoryBackend(root: path))
    }

    /// Opens the store in a folder, or creates one if the folder is missing or empty.
    package static func openOrCreate(at path: String, now: Date) throws(StoreFailure) -> OTAStore {
        try systemCall { () throws(SystemFailure) in try Folder.make(path) }
        return try openOrCreate(on: DirectoryBackend(root: path), now: now)
    }

    /// Opens the store of a backend.
    ///
    /// - Throws: ``StoreFailure/notAStore(path:)`` if the place has other contents, and
    ///   ``StoreFailure/missing(path:)`` if there is no store. A `store.json` that cannot be read is also
    ///   an error, and never a reason to create a new store.
    package static func open(on backend: any Backend) throws(StoreFailure) -> OTAStore {
        let store = OTAStore(backend: backend)
        guard try backend.stamp(of: .settings) != nil else {
            throw try obstacle(on: backend) ?? .missing(path: backend.location)
        }
        _ = try store.settings()
        backend.noteStore()
        // In a remote store this is a request; readers of journals call it first.
        if !backend.isElsewhere { backend.completeEntries() }
        return store
    }

    /// Why a place without settings is not a store and cannot become one; nil if one may be created there.
    private static func obstacle(on backend: any Backend) throws(StoreFailure) -> StoreFailure? {
        guard let obstacle = try backend.obstacle() else { return nil }
        guard case .notAStore = obstacle, let mark = try StoreCopy.mark(of: backend) else {
            return obstacle
        }
        return .unfinishedCopy(path: backend.location, source: mark.source)
    }

    /// Opens the store of a backend, or creates one if the place is empty.
    package static func openOrCreate(
        on backend: any Backend,
        now: Date,
    ) throws(StoreFailure) -> OTAStore {
        if try backend.stamp(of: .settings) == nil {
            // Another process that creates the store writes its settings first.
            if let obstacle = try obstacle(on: backend) {
                guard try backend.read(.settings) != nil else { throw obstacle }
                return try open(on: backend)
            }
            let settings = StoreSettings(
                instance: SHA256Digest(of: randomBytes(32)).shortText,
                created: now,
            )
            // If another process was faster, its settings are used.
            _ = try backend.writes(
                DocumentCoding.encode(settings, for: .settings),
                to: .settings,
                if: .absent,
            )
        }
        return try open(on: backend)
    }

    /// Returns the settings of the whole store.
    ///
    /// - Parameter isCurrent: whether to check the document even if it was checked a moment ago.
    /// - Returns: the settings.
    /// - Throws: ``StoreFailure/missing(path:)`` if there is no store, and the errors of reading.
    package func settings(isCurrent: Bool = false) throws(StoreFailure) -> StoreSettings {
        let known = try value(StoreSettings.self, .settings, isCurrent: isCurrent)
        guard let settings = known else {
            throw .missing(path: DocumentName.settings.path)
        }
        return settings
    }

    /// Returns the additional certificate authorities whose profiles are accepted.
    ///
    /// - Parameter isCurrent: as in ``settings(isCurrent:)``.
    /// - Returns: the certificates in the order of the settings.
    /// - Throws: ``StoreFailure/unreadable(path:offset:reason:)`` for text that is not a certificate.
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

    /// Changes the settings of the whole store; see ``change(_:else:_:)``.
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
