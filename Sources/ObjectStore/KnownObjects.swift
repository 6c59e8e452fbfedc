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
    /// The path of that journal; nil where an earlier version wrote it.
    let journal: String?
    /// Whether it stands where a document was deleted.
    let isDeleted: Bool
    /// Of the object that the version before was kept in when this one was written; nil where that is not
    /// known.
    let previous: ETag?

    init(_ object: S3Object) {
        bytes = object.bytes
        etag = object.facts.etag
        writes = object.facts.writes
        entry = object.facts.metadata[Self.entryName]
        isDeleted = object.facts.metadata[Self.deletedName] != nil
        previous = object.facts.metadata[Self.previousName].flatMap(ETag.init)
        journal = object.facts.metadata[Self.journalName]
    }

    init(
        bytes: [UInt8],
        etag: ETag,
        writes: [String],
        entry: String?,
        isDeleted: Bool,
        previous: ETag? = nil,
        journal: String? = nil,
    ) {
        self.journal = journal
        self.previous = previous
        self.bytes = bytes
        self.etag = etag
        self.writes = writes
        self.entry = entry
        self.isDeleted = isDeleted
    }

    var version: DocumentVersion { DocumentVersion(of: bytes) }

    static let entryName = "ota-entry"
    static let deletedName = "ota-deleted"
    static let journalName = "ota-journal"
    static let previousName = "ota-previous"
}

/// What was last read or written under a key, so that a read of what has not changed carries nothing,
/// and a write knows what it takes the place of.
final class KnownObjects: Sendable {
    private struct State {
        var objects: [String: DocumentObject] = [:]
        /// Keys of objects that were too large to be kept when they were read or written last.
        var large: Set<String> = []
        var bytes = 0
    }

    private let state = Mutex(State())
    /// Bytes in all, and of one object; what is larger is read again.
    private static let most = 32 << 20
    private static let largest = 1 << 20
    private static let mostLarge = 10_000

    /// Whether it costs much to read the object.
    func isLarge(_ key: String) -> Bool { state.withLock { $0.large.contains(key) } }

    /// Everything that is known, by keys.
    var all: [String: DocumentObject] { state.withLock(\.objects) }

    subscript(_ key: String) -> DocumentObject? {
        state.withLock { $0.objects[key] }
    }

    func note(_ object: DocumentObject, at key: String) {
        state.withLock { state in
            Self.remove(key, from: &state)
            guard object.bytes.count <= Self.largest else {
                if state.large.count < Self.mostLarge { state.large.insert(key) }
                return
            }
            state.large.remove(key)
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
