import Cryptography
import Essentials

/// A journal's entry that waits for the change of its document, as the file of the lock has it while
/// the change is made.
///
/// One line with the SHA-256 of what follows, so that one which a power cut tore is seen, and one of
/// JSON.
struct PendingEntry: Codable, Equatable {
    let document: String
    /// The SHA-256 of the document once it has changed; nil for one that is deleted.
    let version: String?
    let journal: String
    /// Where the journal ended before: whole lines behind that are those of this entry.
    let offset: Int
    let lines: [String]

    init(
        _ entry: JournalEntry,
        with document: DocumentName,
        at version: DocumentVersion?,
        behind offset: Int,
    ) {
        self.document = document.path
        self.version = version?.digest.description
        journal = entry.journal.path
        self.offset = offset
        lines = entry.lines.map { String(decoding: $0, as: UTF8.self) }
    }

    /// - Returns: nil for anything but what ``bytes()`` gave.
    init?(_ bytes: [UInt8]) {
        let parts = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: 1)
        guard parts.count == 2,
            SHA256Digest(of: Array(parts[1])).description.utf8.elementsEqual(parts[0]),
            let entry = try? JSONDecoder().decode(PendingEntry.self, from: Data(parts[1]))
        else { return nil }
        self = entry
    }

    /// How it is kept.
    func bytes() throws(StoreFailure) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            let json = Array(try encoder.encode(self))
            return Array("\(SHA256Digest(of: json))\n".utf8) + json
        } catch {
            throw .unreadable(path: journal, offset: nil, reason: "its line has no JSON form")
        }
    }

    /// Whether its change is made when the document is at this version; nil for one that is not there.
    func isMade(by version: DocumentVersion?) -> Bool {
        version?.digest.description == self.version
    }

    /// Whether it belongs to the change of this document.
    func concerns(_ name: DocumentName) -> Bool { document == name.path }
}
