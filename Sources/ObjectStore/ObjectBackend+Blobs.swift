package import Bytes
package import Cryptography
import Essentials
import S3
package import Store
import Synchronization

extension ObjectBackend {
    package func receive() throws(StoreFailure) -> any IncomingBlob {
        try requireStore()
        return IncomingObject(try spool.receive(), for: self)
    }

    package func earlyPut(of source: any ByteSource) -> (any EarlyPut)? {
        source.count < S3Client.partedFrom ? nil : EarlyObject(source, for: self)
    }

    package func upload(_ name: String) throws(StoreFailure) -> any ResumableBlob {
        try requireStore()
        return ResumableObject(try spool.upload(name), for: self)
    }

    package func uploadSize(_ name: String) throws(StoreFailure) -> Int? {
        try spool.uploadSize(name)
    }

    package func removeUpload(_ name: String) throws(StoreFailure) {
        try spool.removeUpload(name)
    }

    package func uploads() throws(StoreFailure) -> [String] { try spool.uploads() }

    /// Free space in the spool; the object store has space of its own.
    package func freeSpace() throws(StoreFailure) -> Int? { try spool.freeSpace() }

    package func open(_ blob: SHA256Digest) throws(StoreFailure) -> StoredBlob {
        guard let facts = try blobFacts(blob) else { throw .missingBlob(blob) }
        let source = ObjectSource(client, key: keys.key(blob), facts: facts)
        return StoredBlob(digest: blob, source: source, path: nil)
    }

    package func bytes(
        of blob: SHA256Digest,
        atMost limit: Int,
    ) throws(StoreFailure) -> [UInt8]? {
        if let known = recollection.withLock({ $0?.blobs[blob] }), known.count <= limit {
            return known
        }
        let range = 0..<min(limit, Self.smallBlob)
        guard !range.isEmpty else { return nil }
        let reading = try remote { () throws(S3Failure) in
            try client.read(keys.key(blob), range: range)
        }
        switch reading {
        case .found(let object): return object.facts.size <= range.count ? object.bytes : nil
        case .missing: throw .missingBlob(blob)
        case .known, .changed: return nil
        }
    }

    /// The bytes requested at once from a blob of unknown size; icons and reports are smaller.
    private static let smallBlob = 256 << 10

    package var isElsewhere: Bool { true }

    package func file(of blob: SHA256Digest) throws(StoreFailure) -> String {
        try files.held(blob, opening(blob))
    }

    package func fileAtHand(of blob: SHA256Digest) throws(StoreFailure) -> String? {
        files.pathAtHand(blob)
    }

    package func fetchFile(
        of blob: SHA256Digest,
        _ done: @escaping @Sendable (Result<String, StoreFailure>) -> Void,
    ) {
        files.fetch(blob, opening(blob), done)
    }

    package func address(
        of blob: SHA256Digest,
        lasting seconds: Int,
    ) throws(StoreFailure) -> String? {
        try remote { () throws(S3Failure) in
            try client.caller.address("GET", of: keys.key(blob), lasting: seconds)
        }
    }

    package func answersHeadAtAddresses() throws(StoreFailure) -> Bool {
        try remote { () throws(S3Failure) in
            try client.caller.answersHead(whereSignedForGet: keys.key(.settings))
        }
    }

    package func isKnownDamaged(_ blob: SHA256Digest) -> Bool { files.isDamaged(blob) }

    private func opening(_ blob: SHA256Digest) -> BlobFiles.Opening {
        { [self] () throws(StoreFailure) in try open(blob) }
    }

    package func facts(of blob: SHA256Digest) throws(StoreFailure) -> BlobFacts? {
        guard let facts = try blobFacts(blob) else {
            try requireStore()
            return nil
        }
        return BlobFacts(size: facts.size, age: Self.age(facts))
    }

    /// A blob that this process has just put exists; a document that refers to it waits for running
    /// deletions.
    package func isThere(_ blob: SHA256Digest) throws(StoreFailure) -> Bool {
        let relies = news.isFollowed || news.timing.trusting > .zero
        if relies, unconfirmed.contains(blob) { return true }
        return try facts(of: blob) != nil
    }

    package func stamp(of blob: SHA256Digest) throws(StoreFailure) -> ChangeStamp? {
        try blobFacts(blob).map { facts in
            // Each put has another identifier.
            Self.stamp("\(facts.etag) \(facts.size) \(facts.writes.first ?? "")")
        }
    }

    package func blobs() throws(StoreFailure) -> [SHA256Digest] {
        try remote { () throws(S3Failure) in try client.list(under: keys.blobs) }.objects
            .compactMap { SHA256Digest(hex: $0.key.suffix(64)) }
    }

    package func delete(
        _ blob: SHA256Digest,
        unlessPutWithin seconds: Int,
    ) throws(StoreFailure) -> Bool {
        // Most blobs are young or gone, which needs no claim.
        guard let facts = try blobFacts(blob), Self.age(facts) >= seconds else { return false }
        return try deleteOld(blob, unlessPutWithin: seconds)
    }

    func blobFacts(_ blob: SHA256Digest) throws(StoreFailure) -> S3ObjectFacts? {
        try remote { () throws(S3Failure) in try client.facts(of: keys.key(blob)) }
    }

    /// The age in seconds by the store's clock, from both of its dates.
    static func age(_ facts: S3ObjectFacts) -> Int {
        guard let date = facts.date, let modified = facts.modified else { return 0 }
        return max(0, Int(date.timeIntervalSince(modified)))
    }

    /// Uploads the bytes under their digest, even if that blob exists.
    ///
    /// That repairs rotted bytes and renews the blob's age.
    fileprivate func put(
        _ source: any ByteSource,
        as digest: SHA256Digest,
    ) throws(StoreFailure) {
        try remote { () throws(S3Failure) in
            if let early = early.take(digest) { return try early.finish() }
            try client.write(
                source,
                digest: digest,
                to: keys.key(digest),
                identifier: identifier(),
            )
        }
        unconfirmed.insert(digest)
        remember(digest, source)
    }
}

/// A blob that is received into a local file, and uploaded to the object store once it is complete.
private final class IncomingObject: IncomingBlob {
    private let file: any IncomingBlob
    private let backend: ObjectBackend

    init(_ file: any IncomingBlob, for backend: ObjectBackend) {
        self.file = file
        self.backend = backend
    }

    var count: Int { file.count }

    func append(_ bytes: UnsafeRawBufferPointer) throws(StoreFailure) {
        try unsafe file.append(bytes)
    }

    func append(contentsOf path: String, progress: (Int) -> Void) throws(StoreFailure) {
        try file.append(contentsOf: path, progress: progress)
    }

    func source() throws(StoreFailure) -> any ByteSource { try file.source() }

    func commit(as digest: SHA256Digest) throws(StoreFailure) {
        try backend.put(file.source(), as: digest)
    }
}

/// An upload whose bytes are in a local file until it is complete.
private final class ResumableObject: ResumableBlob {
    private let file: any ResumableBlob
    private let backend: ObjectBackend

    init(_ file: any ResumableBlob, for backend: ObjectBackend) {
        self.file = file
        self.backend = backend
    }

    var count: Int { file.count }

    func expect(_ size: Int) { file.expect(size) }

    func append(_ bytes: UnsafeRawBufferPointer) throws(StoreFailure) {
        try unsafe file.append(bytes)
    }

    func append(contentsOf path: String, progress: (Int) -> Void) throws(StoreFailure) {
        try file.append(contentsOf: path, progress: progress)
    }

    func truncate(to count: Int) throws(StoreFailure) { try file.truncate(to: count) }

    func sync() throws(StoreFailure) { try file.sync() }

    func source() throws(StoreFailure) -> any ByteSource { try file.source() }

    func commit(as digest: SHA256Digest) throws(StoreFailure) {
        try backend.put(file.source(), as: digest)
    }
}
