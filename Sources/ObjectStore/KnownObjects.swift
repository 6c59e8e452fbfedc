import S3
import Store
import Synchronization

/// A document as an object has it.
struct DocumentObject: Sendable {
    let bytes: [UInt8]
    let etag: ETag
    /// As in ``S3ObjectFacts/writes``.
    let writes: [String]
    /// The entry of a journal that came with it; see ``ObjectBackend/finish(_:)``.
    let entry: String?
    /// Whether it stands where a document was deleted.
    let isDeleted: Bool

    init(_ object: S3Object) {
        bytes = object.bytes
        etag = object.facts.etag
        writes = object.facts.writes
        entry = object.facts.metadata[Self.entryName]
        isDeleted = object.facts.metadata[Self.deletedName] != nil
    }

    init(bytes: [UInt8], etag: ETag, writes: [String], entry: String?, isDeleted: Bool) {
        self.bytes = bytes
        self.etag = etag
        self.writes = writes
        self.entry = entry
        self.isDeleted = isDeleted
    }

    var version: DocumentVersion { DocumentVersion(of: bytes) }

    static let entryName = "ota-entry"
    static let deletedName = "ota-deleted"
}

/// What was last read or written under a key, so that a read of what has not changed carries nothing,
/// and a write knows what it takes the place of.
final class KnownObjects: Sendable {
    private struct State {
        var objects: [String: DocumentObject] = [:]
        var bytes = 0
    }

    private let state = Mutex(State())
    /// Bytes in all, and of one object; what is larger is read again.
    private static let most = 32 << 20
    private static let largest = 1 << 20

    subscript(_ key: String) -> DocumentObject? {
        state.withLock { $0.objects[key] }
    }

    func note(_ object: DocumentObject, at key: String) {
        state.withLock { state in
            Self.remove(key, from: &state)
            guard object.bytes.count <= Self.largest else { return }
            if state.bytes + object.bytes.count > Self.most { state = State() }
            state.objects[key] = object
            state.bytes += object.bytes.count
        }
    }

    func forget(_ key: String) {
        state.withLock { Self.remove(key, from: &$0) }
    }

    private static func remove(_ key: String, from state: inout State) {
        if let old = state.objects.removeValue(forKey: key) { state.bytes -= old.bytes.count }
    }
}
