import S3
import Store
import Synchronization

/// A document as read from its object.
struct DocumentObject: Sendable {
    let bytes: [UInt8]
    let etag: ETag
    /// As in ``S3ObjectFacts/writes``.
    let writes: [String]
    /// The journal entry that was written with it; see ``ObjectBackend/finish(_:)``.
    let entry: String?
    /// The path of that journal; nil if an earlier version wrote it.
    let journal: String?
    /// Whether it marks a deleted document.
    let isDeleted: Bool
    /// The ETag of the object that kept the previous version when this one was written; nil if unknown.
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

/// The objects as last read or written, so that reading an unchanged one transfers no body, and a write
/// knows what it replaces.
final class KnownObjects: Sendable {
    private struct State {
        var objects: [String: DocumentObject] = [:]
        /// The keys of objects that were too large to cache when last read or written.
        var large: Set<String> = []
        var bytes = 0
    }

    private let state = Mutex(State())
    /// The most bytes in total and of one object; a larger object is always read again.
    private static let most = 32 << 20
    private static let largest = 1 << 20
    private static let mostLarge = 10_000

    /// Whether reading the object is expensive.
    func isLarge(_ key: String) -> Bool { state.withLock { $0.large.contains(key) } }

    /// All cached objects by key.
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
