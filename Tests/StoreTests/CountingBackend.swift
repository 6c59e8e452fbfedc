import Store
import StoreFixtures
import Synchronization

/// A back end that records which folders are listed and which documents are read.
final class CountingBackend: ForwardingBackend {
    let inner: any Backend
    private let seen = Mutex<(listed: [String], read: [String])>(([], []))
    /// Called with each folder that has been listed, before the result is returned.
    private let listing: @Sendable (String) -> Void

    init(_ inner: any Backend, listing: @Sendable @escaping (String) -> Void = { _ in }) {
        self.inner = inner
        self.listing = listing
    }

    var listed: [String] { seen.withLock { $0.listed } }
    var read: [String] { seen.withLock { $0.read } }

    func read(_ name: DocumentName) throws(StoreFailure) -> StoredDocument? {
        seen.withLock { $0.read.append(name.path) }
        return try inner.read(name)
    }

    func names(in folder: DocumentName) throws(StoreFailure) -> [String] {
        seen.withLock { $0.listed.append(folder.path) }
        defer { listing(folder.path) }
        return try inner.names(in: folder)
    }
}
