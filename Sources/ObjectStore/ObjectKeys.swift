import Bytes
import Cryptography
import Store

/// The keys of a store's objects.
struct ObjectKeys: Sendable {
    /// The prefix without leading and trailing slashes.
    let prefix: String
    /// The start of all keys.
    let root: String

    init(prefix: String) {
        self.prefix = prefix
        root = prefix.isEmpty ? "" : prefix + "/"
    }

    func key(_ name: DocumentName) -> String { root + name.path }

    func previous(_ name: DocumentName) -> String { key(name) + DocumentName.previousSuffix }

    func undone(_ name: DocumentName) -> String { key(name) + DocumentName.undoneSuffix }

    /// The start of internal keys, which no document's name starts with.
    private var hidden: String { root + "@" }

    var entries: String { hidden + "entries/" }

    func entry(_ identifier: String) -> String { entries + identifier }

    func lease(_ work: String) -> String { hidden + "leases/" + work }

    var news: String { hidden + "news" }

    /// The key of the object for testing conditional writes.
    func trial(_ identifier: String) -> String { hidden + "trial/" + identifier }

    var blobs: String { root + "blobs/sha256/" }

    func key(_ blob: SHA256Digest) -> String {
        let hex = blob.description
        return "\(blobs)\(hex.prefix(2))/\(hex)"
    }

    /// The key of a segment that starts at an offset, padded so that keys sort by offset.
    func segment(_ journal: DocumentName, at offset: Int) -> String {
        let digits = String(offset)
        return segments(journal) + String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }

    func segments(_ journal: DocumentName) -> String { key(journal) + "/" }

    /// The path within the store.
    func path(_ key: String) -> String {
        String(decoding: key.utf8.dropFirst(root.utf8.count), as: UTF8.self)
    }

    func isInternal(_ key: String) -> Bool { key.hasBytes(first: hidden) }

    /// The document of a key, or the journal of a segment's key; nil for any other key.
    func name(of key: String) -> DocumentName? {
        guard !isInternal(key), !key.hasBytes(first: root + "blobs/"),
            let name = try? DocumentName(path: path(key))
        else { return nil }
        guard name.components.count > 1, let last = name.components.last,
            last.utf8.count == 16, last.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let journal = try? DocumentName(components: Array(name.components.dropLast())),
            journal.isJournal
        else { return name }
        return journal
    }
}
