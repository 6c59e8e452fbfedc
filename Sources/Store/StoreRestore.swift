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

/// Brings back a store that ``StoreBackup`` wrote.
///
/// Everything is checked against `SHA256SUMS` as it is written, and `store.json`, without which a
/// folder is no store, comes last: a restore that fails leaves nothing that could be opened. A mark
/// says from the first moment on that whatever is in the folder was put there by a restore, so that
/// the next one may begin again after a crash too.
package struct StoreRestore {
    private let backup: String
    private let root: String
    private let source: FileSource
    /// Locked for as long as the restore runs.
    private let mark: Mark
    private var folders: Set<String> = []
    private var written: [String: SHA256Digest] = [:]
    private var settings: [UInt8]?
    private var damage: [UInt8]?
    private var problems: [StoreProblem] = []
    /// The teams whose agreement does not count here.
    private var withdrawn: [String] = []

    static let markName = "restore.lock"

    private final class Mark {
        let file: OpenFile

        init(_ file: consuming OpenFile) { self.file = file }
    }

    /// Restores the file `backup` into `root`, an absent or empty folder, or one in which a restore
    /// did not end.
    ///
    /// What the backup says was damaged when it was made is in the summary. A restore that fails
    /// removes what it wrote.
    ///
    /// - Throws: ``StoreFailure/notEmpty(path:)``, ``StoreFailure/badBackup(path:reason:)``, and
    ///   ``StoreFailure/newerSchema(path:found:known:)`` for a backup of a later version of ota.
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
            // What cannot be removed now is removed by the next restore.
            do throws(StoreFailure) {
                try restore.empty()
                try restore.unmark()
            } catch {}
            throw error
        }
    }

    /// Restores the file `backup` into a place elsewhere, by way of the folder of this machine that work on
    /// it is done in; that needs as much room as the backup.
    ///
    /// - Throws: what ``run(from:into:progress:)`` and ``StoreCopy`` throw.
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

    /// - Returns: nil when another restore works in the folder or has just ended.
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
            // Another restore may have ended between the two looks.
            let isStore = try Folder.status(root + "/" + DocumentName.settings.path) != nil
            if isStore { try Folder.remove(path) }
            let isLinked = try mark.file.status().st_nlink > 0
            return isLinked && !isStore ? mark : nil
        }
    }

    /// Removes what restores have written, and nothing whose name no backup can hold.
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

    /// Writes one file below ``root``; its name may lead nowhere else.
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

    // MARK: The store

    /// Makes the folder a store, once all the rest lasts and was read.
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

    /// Reads every document, so that nothing becomes a store that this version cannot work with.
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

    /// Bytes; a line takes a few hundred.
    private static var longestSums: Int { 256 << 20 }
}
