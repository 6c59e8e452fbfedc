import Bytes
import Cryptography

/// Writes a store into one file: a tar archive of its documents and the blobs to which they refer.
///
/// Its last entry is `SHA256SUMS`, in the format of `sha256sum -c`.
///
/// The keys are included, because a restored store must honour the links and the certificate authority that
/// phones already trust. The private keys of teams are included in sealed form; the key that seals them is
/// not. The file is readable by its owner only.
package struct StoreBackup {
    private let store: OTAStore
    private let file: TemporaryFile
    private let destination: String
    private var sums: [(path: String, digest: SHA256Digest)] = []
    /// The damage of the store; everything else is still backed up.
    private var problems: [StoreProblem] = []
    private var sealedIdentities: [String] = []
    /// Bytes written so far.
    private var size = 0
    /// Whether writing the backup's own file failed; then nothing in it can be trusted.
    private var hasFailedToWrite = false

    /// The name of the last entry.
    static let sumsName = "SHA256SUMS"
    /// The name of the entry that lists what is damaged or missing; it exists only if anything is.
    static let damageName = "damage.json"

    package struct Summary: Codable, Sendable, Equatable {
        package let documents: Int
        package let blobs: Int
        /// The size of the file.
        package let bytes: Int
        /// What was damaged or missing when the backup was made.
        package var problems: [StoreProblem] = []
        /// The teams whose private keys are included in sealed form.
        package var sealedIdentities: [String] = []
        /// The teams whose agreement a restore has withdrawn: the restored store changes nothing in their
        /// developer accounts until an admin agrees again.
        ///
        /// Empty for a backup.
        package var withdrawnAgreements: [String] = []
    }

    /// The contents of ``damageName``.
    struct Damage: Codable {
        var schema = 1
        let problems: [StoreProblem]
    }

    /// Writes the file at `destination`, outside the store; replaces an existing file once the new one is
    /// complete.
    ///
    /// Damaged documents are included as they are, damaged blobs are not; the summary lists both.
    package static func write(
        _ store: OTAStore,
        to destination: String,
        progress: (Int, Int) -> Void = { _, _ in },
    ) throws(StoreFailure) -> Summary {
        store.backend.completeEntries()
        var backup = try StoreBackup(store, to: destination)
        return try backup.run(progress: progress)
    }

    private init(_ store: OTAStore, to destination: String) throws(StoreFailure) {
        self.store = store
        self.destination = destination
        file = try systemCall { () throws(SystemFailure) in
            try TemporaryFile(in: Folder.parent(of: destination))
        }
    }

    private mutating func run(
        progress: (Int, Int) -> Void
    ) throws(StoreFailure) -> Summary {
        let blobs = try addDocuments()
        let documents = sums.count
        for (index, blob) in blobs.enumerated() {
            progress(index, blobs.count)
            try addIfWhole(blob)
        }
        let copied = sums.count - documents
        try addDamage()
        try append(Tar.header(path: Self.sumsName, size: sumsText.count))
        try append(sumsText + Tar.padding(after: sumsText.count) + Tar.end)
        let bytes = try systemCall { () throws(SystemFailure) in
            try file.sync()
            try file.move(to: destination)
            return try Folder.status(destination)?.size ?? 0
        }
        progress(blobs.count, blobs.count)
        return Summary(
            documents: documents,
            blobs: copied,
            bytes: bytes,
            problems: problems,
            sealedIdentities: sealedIdentities,
        )
    }

    /// Copies the documents while no process writes, so that they are consistent with each other.
    ///
    /// - Returns: the blobs to which they refer. Blobs never change, and these are not garbage-collected.
    private mutating func addDocuments() throws(StoreFailure) -> [SHA256Digest] {
        var failure: StoreFailure?
        var blobs: [SHA256Digest] = []
        try store.backend.withWritersWaiting { () throws(StoreFailure) in
            do throws(StoreFailure) {
                let references = try StoreReferences(of: store)
                problems = references.problems
                sealedIdentities = references.sealedIdentities.sorted()
                note(store.documentProblems())
                note(try store.lostDocuments().map { StoreProblem(.lost($0)) })
                // All references to blobs are known only if every document can be read.
                let all = problems.isEmpty ? [] : try store.backend.blobs()
                blobs = Set(references.blobs.keys).union(all)
                    .sorted { $0.description < $1.description }
                for name in try store.backend.documents() { try addIfReadable(name) }
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return blobs
    }

    /// Adds problems of places that have none yet.
    private mutating func note(_ found: [StoreProblem]) {
        problems += found.filter { new in !problems.contains { $0.place == new.place } }
    }

    private mutating func addIfReadable(_ name: DocumentName) throws(StoreFailure) {
        do throws(StoreFailure) {
            try add(name)
        } catch {
            guard error.concernsOnePlace, !hasFailedToWrite else { throw error }
            if !problems.contains(where: { $0.place == name.path }) { note([StoreProblem(error)]) }
        }
    }

    /// Adds the blob, or removes what was written of it if its bytes do not match its digest.
    private mutating func addIfWhole(_ blob: SHA256Digest) throws(StoreFailure) {
        let (before, count) = (size, sums.count)
        do throws(StoreFailure) {
            try add(blob)
        } catch {
            guard error.concernsOnePlace, !hasFailedToWrite else { throw error }
            problems.append(StoreProblem(error))
            sums.removeSubrange(count...)
            try systemCall { () throws(SystemFailure) in try file.truncate(to: before) }
            size = before
        }
    }

    private mutating func addDamage() throws(StoreFailure) {
        guard !problems.isEmpty else { return }
        let name = DocumentName(known: Self.damageName)
        let bytes = try DocumentCoding.encode(Damage(problems: problems), for: name)
        try append(Tar.header(path: Self.damageName, size: bytes.count))
        try append(bytes + Tar.padding(after: bytes.count))
        sums.append((Self.damageName, SHA256Digest(of: bytes)))
    }

    private mutating func add(_ name: DocumentName) throws(StoreFailure) {
        guard let document = try store.backend.read(name) else { return }
        let bytes = document.bytes
        // Other targets have documents of their own; whatever their meaning, anything but JSON is damaged.
        if name.path.hasSuffix(".json"), let offset = JSONDamage.offset(in: bytes) {
            let reason = "it is not valid JSON"
            note([StoreProblem(.unreadable(path: name.path, offset: offset, reason: reason))])
        }
        try append(Tar.header(path: name.path, size: bytes.count))
        try append(bytes + Tar.padding(after: bytes.count))
        sums.append((name.path, document.version.digest))
    }

    private mutating func add(_ blob: SHA256Digest) throws(StoreFailure) {
        let stored = try store.backend.open(blob)
        let hasher = SHA256Hasher()
        let path = Self.path(of: blob)
        try append(Tar.header(path: path, size: stored.size))
        var offset = 0
        while offset < stored.size {
            let piece: [UInt8]
            do throws(SourceFailure) {
                piece = try stored.source.bytes(
                    at: offset,
                    count: min(1 << 20, stored.size - offset),
                )
            } catch {
                throw .unreadable(path: path, offset: error.offset, reason: error.reason)
            }
            hasher.update(piece)
            try append(piece)
            offset += piece.count
        }
        guard hasher.finish() == blob else { throw .damagedBlob(blob, path: path) }
        try append(Tar.padding(after: stored.size))
        sums.append((path, blob))
    }

    private mutating func append(_ bytes: [UInt8]) throws(StoreFailure) {
        do throws(StoreFailure) {
            try systemCall { () throws(SystemFailure) in try file.write(bytes) }
        } catch {
            hasFailedToWrite = true
            throw error
        }
        size += bytes.count
    }

    private var sumsText: [UInt8] {
        Array(sums.map { "\($0.digest)  \($0.path)\n" }.joined().utf8)
    }

    static func path(of blob: SHA256Digest) -> String {
        "blobs/sha256/\(blob.description.prefix(2))/\(blob)"
    }
}
