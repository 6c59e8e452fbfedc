import Bytes
import Cryptography

/// Brings back a store that ``StoreBackup`` wrote.
///
/// Everything is checked against `SHA256SUMS` as it is written, and `store.json`, without which a
/// folder is no store, comes last: a restore that fails leaves nothing that could be opened.
package struct StoreRestore {
    private let backup: String
    private let root: String
    private let source: FileSource
    private var folders: Set<String> = []
    private var written: [String: SHA256Digest] = [:]
    private var settings: [UInt8]?

    /// Restores the file `backup` into `root`, an absent or empty folder; refused by
    /// ``StoreFailure/notEmpty(path:)`` and ``StoreFailure/badBackup(path:reason:)``.
    @discardableResult
    package static func run(
        from backup: String,
        into root: String,
        progress: (Int, Int) -> Void = { _, _ in },
    ) throws(StoreFailure) -> StoreBackup.Summary {
        var restore = try StoreRestore(from: backup, into: root)
        return try restore.run(progress: progress)
    }

    private init(from backup: String, into root: String) throws(StoreFailure) {
        self.backup = backup
        self.root = root
        do throws(SourceFailure) {
            source = try FileSource(path: backup)
        } catch {
            throw .badBackup(path: backup, reason: error.reason)
        }
        let names = try systemCall { () throws(SystemFailure) in
            try Folder.make(root)
            return try Folder.names(in: root)
        }
        guard names.allSatisfy({ $0 == "lost+found" }) else { throw .notEmpty(path: root) }
    }

    private mutating func run(
        progress: (Int, Int) -> Void
    ) throws(StoreFailure) -> StoreBackup.Summary {
        var sums: [UInt8]?
        var reader = TarReader(source, named: backup)
        while let entry = try reader.next() {
            progress(entry.offset, source.count)
            guard sums == nil else { throw bad("it goes on behind its checksums") }
            if entry.path == StoreBackup.sumsName {
                guard entry.size <= Self.longestSums else {
                    throw bad("its checksums are too long")
                }
                sums = try reader.bytes(at: entry.offset, count: entry.size)
            } else {
                try write(entry, from: reader)
            }
        }
        try compare(with: sums)
        try finish()
        progress(source.count, source.count)
        let blobs = written.keys.count { $0.hasPrefix("blobs/") }
        return StoreBackup.Summary(
            documents: written.count - blobs,
            blobs: blobs,
            bytes: source.count,
        )
    }

    /// Writes one file below ``root``; its name may lead nowhere else.
    private mutating func write(_ entry: TarEntry, from reader: TarReader) throws(StoreFailure) {
        let name = try DocumentName(path: entry.path)
        guard written[name.path] == nil else { throw bad("it has \(name) twice") }
        if name == .settings {
            guard entry.size <= DirectoryBackend.longestDocument else {
                throw bad("\(name) is too long")
            }
            let bytes = try reader.bytes(at: entry.offset, count: entry.size)
            settings = bytes
            written[name.path] = SHA256Digest(of: bytes)
            return
        }
        let path = root + "/" + name.path
        let file = try systemCall { () throws(SystemFailure) in
            try makeFolders(above: name)
            return try OpenFile.create(path, mode: FileMode.ownerOnly.bits)
        }
        let hasher = SHA256Hasher()
        var offset = entry.offset
        while offset < entry.offset + entry.size {
            let piece = try reader.bytes(
                at: offset,
                count: min(1 << 20, entry.offset + entry.size - offset),
            )
            hasher.update(piece)
            offset += piece.count
            do throws(SystemFailure) {
                try file.write(piece)
            } catch {
                throw .system(error)
            }
        }
        do throws(SystemFailure) {
            try file.sync()
        } catch {
            throw .system(error)
        }
        written[name.path] = hasher.finish()
    }

    private mutating func makeFolders(above name: DocumentName) throws(SystemFailure) {
        guard let folder = name.folder, folders.insert(folder.path).inserted else { return }
        try Folder.make(root + "/" + folder.path)
    }

    /// Every file must be the one that was backed up, and none may be missing.
    private func compare(with sums: [UInt8]?) throws(StoreFailure) {
        guard let sums else { throw bad("it has no \(StoreBackup.sumsName)") }
        var expected: [String: SHA256Digest] = [:]
        for line in String(decoding: sums, as: UTF8.self).split(separator: "\n") {
            guard let digest = SHA256Digest(hex: line.prefix(64)) else {
                throw bad("its checksums cannot be read")
            }
            expected[String(line.dropFirst(66))] = digest
        }
        for (path, digest) in expected where written[path] != digest {
            throw bad("\(path) is missing or altered")
        }
        guard expected.count == written.count else { throw bad("it has files without a checksum") }
    }

    /// Makes the folder a store, once all the rest lasts.
    private func finish() throws(StoreFailure) {
        guard let settings else { throw bad("it has no \(DocumentName.settings)") }
        let references = try StoreReferences(of: OTAStore(backend: DirectoryBackend(root: root)))
        if let problem = references.problems.first { throw bad(problem.message) }
        for blob in references.blobs.keys where written[StoreBackup.path(of: blob)] != blob {
            throw bad("the bytes \(blob) are missing")
        }
        try systemCall { () throws(SystemFailure) in
            for folder in folders { try Folder.sync(root + "/" + folder) }
            try durableWrite(settings, to: root + "/" + DocumentName.settings.path)
        }
    }

    private func bad(_ reason: String) -> StoreFailure { .badBackup(path: backup, reason: reason) }

    /// Bytes; a line takes a few hundred.
    private static var longestSums: Int { 256 << 20 }
}
