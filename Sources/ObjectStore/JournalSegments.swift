import S3
import Store
import Synchronization

/// The segments of a journal: objects that follow each other, each named for the offset at which it
/// begins, so that a place in the journal is the same number as in a file.
///
/// The last one is written again with every line until it has ``sealedAt`` bytes. From then on it never
/// grows, and the next one begins where it ends; so of several writers one decides what comes next.
struct JournalSegments: Sendable {
    /// Where each begins, in order; the last one is ``tail``.
    var starts: [Int]
    var tail: JournalTail

    /// Bytes from which on a segment is not added to.
    static let sealedAt = 64 << 10
}

/// The last segment of a journal.
struct JournalTail: Sendable {
    let start: Int
    /// Whole lines with their line feeds; what follows them in the object was never acknowledged.
    let bytes: [UInt8]
    let etag: ETag
    /// As in ``S3ObjectFacts/writes``, carried on from segment to segment.
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

/// The segments of journals as they were last seen.
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

    /// Notes how a journal is; an answer that another one has overtaken does not make it shorter again.
    ///
    /// - Parameters:
    ///   - segments: of the journal; nil where there is none.
    ///   - journal: its name.
    ///   - asked: when the store was asked.
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

/// Lets the writers of this process add to a journal one after the other.
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
