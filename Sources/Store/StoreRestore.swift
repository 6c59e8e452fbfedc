import Bytes
import Cryptography
import Releases

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Restores a store from the file of ``StoreBackup``.
///
/// Everything is checked against `SHA256SUMS` while it is written, and `store.json`, without which a folder
/// is not a store, is written last: a failed restore leaves nothing that could be opened. From the start, a
/// marker file records that the contents of the folder come from a restore, so that a restore can be
/// repeated after a crash.
package struct StoreRestore {
    private let backup: String
    private let root: String
    private let source: FileSource
    /// The marker file, locked while the restore runs.
    private let mark: Mark
    private var folders: Set<String> = []
    private var written: [String: SHA256Digest] = [:]
    private var settings: [UInt8]?
    private var damage: [UInt8]?
    private var problems: [StoreProblem] = []
    /// The teams whose agreement was withdrawn in the restored store.
    private var withdrawn: [String] = []

    static let markName = "restore.lock"

    private final class Mark {
        let file: OpenFile

        init(_ file: consuming OpenFile) { self.file = file }
    }

    /// Restores the file `backup` into `root`, a missing or empty folder, or one with an interrupted
    /// restore.
    ///
    /// The summary has the damage that the backup recorded. A failed restore removes what it wrote.
    ///
    /// - Throws: ``StoreFailure/notEmpty(path:)``, ``StoreFailure/badBackup(path:reason:)``, and
    ///   ``StoreFailure/newerSchema(path:found:known:)`` for a backup by a newer version of ota.
    @discardableResult
    package static func run(
        from backup: String,
        into root: String,
        progress: (Int, Int) -> Void = { _, _ in },
    ) throws(StoreFailure) -> StoreBackup.Summary {
        var restore = try StoreRestore(from: backup, into: root)
        do throws(StoreFailure) {
            try restore.empty()
            return try restore.run(progress: progress)
        } catch {
            // The next restore removes what cannot be removed now.
            do throws(StoreFailure) {
                try restore.empty()
                try restore.unmark()
            } catch {}
            throw error
        }
    }

    /// Restores the file `backup` into a remote store, by way of its work folder on this machine, which
    /// needs as much space as the backup.
    ///
    /// - Throws: the errors of ``run(from:into:progress:)`` and ``StoreCopy``.
    @discardableResult
    package static func run(
        from backup: String,
        into backend: any Backend,
        progress: (Int, Int) -> Void = { _, _ in },
    ) throws(StoreFailure) -> StoreBackup.Summary {
        guard let work = backend.workFolder else { throw .notAStore(path: backend.location) }
        let scratch = work.root + "/restored"
        try systemCall { () throws(SystemFailure) in try Folder.removeAll(scratch) }
        let summary = try run(from: backup, into: scratch, progress: progress)
        _ = try StoreCopy.run(from: DirectoryBackend(root: scratch), to: backend)
        try systemCall { () throws(SystemFailure) in try Folder.removeAll(scratch) }
        return summary
    }

    private init(from backup: String, into root: String) throws(StoreFailure) {
        self.backup = backup
        self.root = root
        do throws(SourceFailure) {
            source = try FileSource(path: backup)
        } catch {
            throw .badBackup(path: backup, reason: error.reason)
        }
        guard let mark = try Self.mark(root) else { throw .notEmpty(path: root) }
        self.mark = mark
    }

    // MARK: The folder

    /// - Returns: nil if another restore is running in the folder or has just ended.
    private static func mark(_ root: String) throws(StoreFailure) -> Mark? {
        let path = root + "/" + markName
        let names = try systemCall { () throws(SystemFailure) in
            try Folder.make(root)
            return try Folder.names(in: root)
        }
        let isOurs = names.contains(markName) && !names.contains(DocumentName.settings.path)
        guard isOurs || names.allSatisfy({ $0 == "lost+found" }) else {
            throw .notEmpty(path: root)
        }
        let mark = try systemCall { () throws(SystemFailure) in
            let mark = Mark(try OpenFile.open(path, O_RDWR | O_CREAT, mode: 0o600))
            try Folder.sync(root)
            return mark
        }
        return try systemCall { () throws(SystemFailure) in
            guard try mark.file.tryLock() else { return nil }
            // Another restore may have ended between the two checks.
            let isStore = try Folder.status(root + "/" + DocumentName.settings.path) != nil
            if isStore { try Folder.remove(path) }
            let isLinked = try mark.file.status().st_nlink > 0
            return isLinked && !isStore ? mark : nil
        }
    }

    /// Removes what restores have written, and nothing whose name cannot occur in a backup.
    private mutating func empty() throws(StoreFailure) {
        written = [:]
        folders = []
        try systemCall { () throws(SystemFailure) in
            for name in try Folder.names(in: root)
            where name != Self.markName && name != "lost+found" {
                try Folder.removeAll(root + "/" + name)
            }
        }
    }

    private func unmark() throws(StoreFailure) {
        try systemCall { () throws(SystemFailure) in
            try Folder.remove(root + "/" + Self.markName)
            try Folder.sync(root)
        }
    }

    // MARK: The backup

    private mutating func run(
        progress: (Int, Int) -> Void
    ) throws(StoreFailure) -> StoreBackup.Summary {
        var sums: [UInt8]?
        var reader = TarReader(source, named: backup)
        while let entry = try reader.next() {
            progress(entry.offset, source.count)
            guard sums == nil else { throw bad("there is data after its checksums") }
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
            documents: written.count - blobs - (damage == nil ? 0 : 1),
            blobs: blobs,
            bytes: source.count,
            problems: problems,
            withdrawnAgreements: withdrawn,
        )
    }

    /// Writes one file inside ``root``; throws for a name that leads outside.
    private mutating func write(_ entry: TarEntry, from reader: TarReader) throws(StoreFailure) {
        let name = try DocumentName(path: entry.path)
        guard written[name.path] == nil, name.path != Self.markName else {
            throw bad("it has \(name) twice")
        }
        if name == .settings || name.path == StoreBackup.damageName {
            guard entry.size <= DirectoryBackend.longestDocument else {
                throw bad("\(name) is too long")
            }
            let bytes = try reader.bytes(at: entry.offset, count: entry.size)
            if name == .settings { settings = bytes } else { damage = bytes }
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

    /// Makes sure that all files match their checksums, and that none are missing.
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

    // MARK: The store

    /// Makes the folder a store, once everything else has been verified and is durable.
    private mutating func finish() throws(StoreFailure) {
        guard let settings else { throw bad("it has no \(DocumentName.settings)") }
        if let damage {
            problems =
                try DocumentCoding.decode(
                    StoreBackup.Damage.self,
                    from: damage,
                    path: StoreBackup.damageName,
                ).problems
        }
        try check(settings)
        let backend = try DirectoryBackend(root: root)
        withdrawn = try OTAStore(backend: backend).withdrawAgreements()
        try backend.keepEarlierGenerations()
        try systemCall { () throws(SystemFailure) in
            for folder in folders { try Folder.sync(root + "/" + folder) }
            let path = root + "/" + DocumentName.settings.path
            try durableWrite(settings, to: path)
            try DirectoryBackend.giveSecondName(path)
        }
        try unmark()
    }

    /// Reads every document, to reject a store that this version cannot use.
    private func check(_ settings: [UInt8]) throws(StoreFailure) {
        let backend = try DirectoryBackend(root: root)
        _ = try DocumentCoding.decode(
            StoreSettings.self,
            from: settings,
            path: DocumentName.settings.path,
        )
        for name in try backend.documents() where name.path.hasSuffix(".json") {
            guard let document = try backend.read(name) else { continue }
            try DocumentCoding.checkSchema(of: document.bytes, path: name.path)
        }
        let references = try StoreReferences(of: OTAStore(backend: backend))
        let places = Set(problems.map(\.place))
        if let problem = references.problems.first(where: { !places.contains($0.place) }) {
            throw bad(problem.message)
        }
        for (blob, place) in references.blobs
        where written[StoreBackup.path(of: blob)] != blob && !isKnownToBeMissing(blob) {
            throw bad("the file \(blob), which \(place) needs, is missing")
        }
    }

    private func isKnownToBeMissing(_ blob: SHA256Digest) -> Bool {
        problems.contains { $0.place.hasSuffix(blob.description) }
    }

    private func bad(_ reason: String) -> StoreFailure { .badBackup(path: backup, reason: reason) }

    /// In bytes; a line has a few hundred.
    private static var longestSums: Int { 256 << 20 }
}
