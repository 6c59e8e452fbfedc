import Cryptography
import Essentials

/// A journal entry that is pending while its document is changed, as stored in the lock's file.
///
/// It has one line with the SHA-256 of the rest, which detects a torn write, and one line of JSON.
struct PendingEntry: Codable, Equatable {
    let document: String
    /// The SHA-256 of the document after the change; nil if it is deleted.
    let version: String?
    let journal: String
    /// The end of the journal before the change: complete lines after it are those of this entry.
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

    /// - Returns: nil for anything but the result of ``bytes()``.
    init?(_ bytes: [UInt8]) {
        let parts = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: 1)
        guard parts.count == 2,
            SHA256Digest(of: Array(parts[1])).description.utf8.elementsEqual(parts[0]),
            let entry = try? JSONDecoder().decode(PendingEntry.self, from: Data(parts[1]))
        else { return nil }
        self = entry
    }

    /// The entry's form in the lock's file.
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

    /// Whether the change has been made, given the document's current version; nil if it does not exist.
    func isMade(by version: DocumentVersion?) -> Bool {
        version?.digest.description == self.version
    }

    /// Whether it belongs to a change of this document.
    func concerns(_ name: DocumentName) -> Bool { document == name.path }
}
