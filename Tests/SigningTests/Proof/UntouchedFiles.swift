import Bytes
import Zip

/// What signing must not change: every file except signatures, profiles and seals, and their order.
struct UntouchedFiles {
    private struct File: Equatable {
        let path: RelativePath
        let kind: ZipEntry.Kind
        let mode: UInt16?
        let method: ZipEntry.Method
        let contents: [UInt8]
    }

    private let files: [File]

    private init(of bytes: [UInt8], but isSigned: (RelativePath, [UInt8]) -> Bool) throws {
        let archive = try ZipArchive(reading: MemorySource(bytes))
        files = try archive.entries.compactMap { entry in
            let contents = try archive.contents(of: entry, atMost: entry.size)
            guard !isSigned(entry.path, contents), !Self.isNew(entry) else { return nil }
            return File(
                path: entry.path,
                kind: entry.kind,
                mode: entry.unixMode,
                method: entry.method,
                contents: contents,
            )
        }
    }

    init(of bytes: [UInt8]) throws {
        try self.init(of: bytes) { path, contents in
            path.text.hasSuffix("/embedded.mobileprovision")
                || path.text.hasSuffix("/_CodeSignature/CodeResources")
                || Self.magics.contains(Array(contents.prefix(4)))
        }
    }

    /// The paths of files that differ between the two, or are in only one.
    func differences(from other: UntouchedFiles) -> [String] {
        guard files != other.files else { return [] }
        let changed = files.filter { !other.files.contains($0) }.map { "\($0.path.text) before" }
        let new = other.files.filter { !files.contains($0) }.map { "\($0.path.text) after" }
        return changed + new + (changed.isEmpty && new.isEmpty ? ["the order"] : [])
    }

    /// Whether an entry is the folder of a seal, which is added with it.
    private static func isNew(_ entry: ZipEntry) -> Bool {
        entry.kind == .directory && entry.name.text == "_CodeSignature"
    }

    private static let magics: [[UInt8]] = [
        [0xcf, 0xfa, 0xed, 0xfe], [0xce, 0xfa, 0xed, 0xfe], [0xca, 0xfe, 0xba, 0xbe],
    ]
}
