import S3
import Store
import Synchronization

/// The segments of a journal: consecutive objects, each named by the offset at which it starts, so that a
/// position in the journal is the same number as in a file.
///
/// The last segment is rewritten with every line until it has ``sealedAt`` bytes. After that it never
/// grows, and the next one starts where it ends, so one of several concurrent writers decides what comes
/// next.
struct JournalSegments: Sendable {
    /// The sorted offsets at which segments start; the last one is ``tail``.
    var starts: [Int]
    var tail: JournalTail

    /// The size in bytes at which a segment is no longer appended to.
    static let sealedAt = 64 << 10
}

/// The last segment of a journal.
struct JournalTail: Sendable {
    let start: Int
    /// Complete lines with their line feeds; anything after them in the object was never acknowledged.
    let bytes: [UInt8]
    let etag: ETag
    /// As in ``S3ObjectFacts/writes``, carried over from segment to segment.
    let writes: [String]

    init(start: Int, bytes: [UInt8], etag: ETag, writes: [String]) {
        self.start = start
        self.bytes = bytes
        self.etag = etag
        self.writes = writes
    }

    init(_ object: S3Object, at start: Int) {
        self.init(
            start: start,
            bytes: Self.wholeLines(object.bytes),
            etag: object.facts.etag,
            writes: object.facts.writes,
        )
    }

    var end: Int { start + bytes.count }

    var isSealed: Bool { bytes.count >= JournalSegments.sealedAt }

    static let feed = UInt8(ascii: "\n")

    static func wholeLines(_ bytes: [UInt8]) -> [UInt8] {
        guard let last = bytes.lastIndex(of: feed) else { return [] }
        return last == bytes.count - 1 ? bytes : Array(bytes[...last])
    }
}

/// The segments of journals as last read.
final class KnownJournals: Sendable {
    private struct Known {
        let segments: JournalSegments
        let noted: ContinuousClock.Instant
    }

    private let journals = Mutex<[DocumentName: Known]>([:])

    var all: [DocumentName: JournalSegments] { journals.withLock { $0.mapValues(\.segments) } }

    subscript(_ journal: DocumentName) -> JournalSegments? {
        journals.withLock { $0[journal]?.segments }
    }

    /// Records the state of a journal, unless it is from an older request and shorter than what is known.
    ///
    /// - Parameters:
    ///   - segments: the journal's segments; nil if it does not exist.
    ///   - journal: its name.
    ///   - asked: when the request was sent.
    func note(
        _ segments: JournalSegments?,
        of journal: DocumentName,
        asked: ContinuousClock.Instant,
    ) {
        journals.withLock { journals in
            if let known = journals[journal], asked < known.noted,
                segments.map({ $0.tail.end < known.segments.tail.end }) ?? true
            {
                return
            }
            journals[journal] = segments.map { Known(segments: $0, noted: .now) }
        }
    }

    func forget(_ journal: DocumentName) { journals.withLock { $0[journal] = nil } }
}

/// Serialises the appends of this process to each journal.
final class AppendLocks: Sendable {
    private let locks = Mutex<[DocumentName: AppendLock]>([:])

    func lock(of journal: DocumentName) -> AppendLock {
        locks.withLock { locks in
            if let lock = locks[journal] { return lock }
            let lock = AppendLock()
            locks[journal] = lock
            return lock
        }
    }
}

final class AppendLock: Sendable {
    private let isTaken = Mutex(())

    func withLock(_ body: () throws(StoreFailure) -> Void) throws(StoreFailure) {
        try isTaken.withLock { _ throws(StoreFailure) in try body() }
    }
}

/// The latest entries that are known to be in their journals.
final class JournalledEntries: Sendable {
    private let identifiers = Mutex<Set<String>>([])
    private static let most = 4_096

    func contains(_ identifier: String) -> Bool {
        identifiers.withLock { $0.contains(identifier) }
    }

    func insert(_ identifier: String) {
        identifiers.withLock { identifiers in
            if identifiers.count >= Self.most { identifiers = [] }
            identifiers.insert(identifier)
        }
    }
}
