package import Bytes
package import Cryptography

/// Blobs by their digests, and the bytes that will become blobs.
package protocol Blobs: Sendable {
    /// Starts a blob from arriving bytes; its digest is known once all of them are there.
    func receive() throws(StoreFailure) -> any IncomingBlob

    /// Prepares to transfer bytes to the backend while they are still being inspected.
    ///
    /// - Parameter source: the source of ``receive()`` or ``upload(_:)``, with all its bytes.
    /// - Returns: the object that starts and ends the transfer; nil if none is needed.
    func earlyPut(of source: any ByteSource) -> (any EarlyPut)?

    /// The bytes of an upload, with everything that was appended under this name before; creates an empty
    /// one if there is none.
    func upload(_ name: String) throws(StoreFailure) -> any ResumableBlob

    /// The number of bytes of an upload; nil if there is none.
    func uploadSize(_ name: String) throws(StoreFailure) -> Int?

    /// Deletes the bytes of an upload.
    func removeUpload(_ name: String) throws(StoreFailure)

    /// The names of all uploads that have bytes.
    func uploads() throws(StoreFailure) -> [String]

    /// Free space in bytes; nil if unknown.
    func freeSpace() throws(StoreFailure) -> Int?

    /// Opens a blob for reading by ranges.
    ///
    /// - Throws: ``StoreFailure/missingBlob(_:)``.
    func open(_ blob: SHA256Digest) throws(StoreFailure) -> StoredBlob

    /// The bytes of a small blob; nil if ``open(_:)`` is as fast, or the blob has more than `limit` bytes.
    ///
    /// The bytes are not checked against the digest.
    ///
    /// - Throws: ``StoreFailure/missingBlob(_:)``.
    func bytes(of blob: SHA256Digest, atMost limit: Int) throws(StoreFailure) -> [UInt8]?

    /// Whether each question about a blob is a request to another machine.
    var isElsewhere: Bool { get }

    /// The path of a local file with a blob's bytes, for another program: the blob's own file, or a copy
    /// that was checked against the digest and is kept for 15 minutes.
    ///
    /// Blocks until the copy is made.
    ///
    /// - Throws: ``StoreFailure/missingBlob(_:)`` and ``StoreFailure/damagedBlob(_:path:)``.
    func file(of blob: SHA256Digest) throws(StoreFailure) -> String

    /// The same path as ``file(of:)``, to be opened at once; nil if a copy must be made first.
    func fileAtHand(of blob: SHA256Digest) throws(StoreFailure) -> String?

    /// Makes the copy for ``fileAtHand(of:)``, once for all concurrent callers, and returns at once.
    ///
    /// - Parameters:
    ///   - blob: the blob to copy.
    ///   - done: called once, on any thread, with the path or the error; it must not block.
    func fetchFile(
        of blob: SHA256Digest,
        _ done: @escaping @Sendable (Result<String, StoreFailure>) -> Void,
    )

    /// A URL of the store itself from which anyone can fetch a blob with `GET` (a presigned URL); nil if
    /// the store offers none.
    ///
    /// - Parameters:
    ///   - blob: the blob.
    ///   - seconds: how long the URL is valid.
    /// - Returns: the URL, which must not be logged.
    /// - Throws: ``StoreFailure`` if it cannot be signed.
    func address(of blob: SHA256Digest, lasting seconds: Int) throws(StoreFailure) -> String?

    /// Whether such a URL answers `HEAD`, which phones send first.
    ///
    /// Asks the store.
    func answersHeadAtAddresses() throws(StoreFailure) -> Bool

    /// Whether a copy was tried recently and the blob's bytes did not match its digest.
    func isKnownDamaged(_ blob: SHA256Digest) -> Bool

    /// The blob's size and the time since it was last put, or nil if it does not exist.
    func facts(of blob: SHA256Digest) throws(StoreFailure) -> BlobFacts?

    /// Whether a blob exists, called before a document refers to it.
    ///
    /// A blob that this process has put and that nothing refers to yet counts without a request.
    func isThere(_ blob: SHA256Digest) throws(StoreFailure) -> Bool

    /// A cheap token that changes whenever the blob's bytes may have changed; nil if the blob does not
    /// exist.
    func stamp(of blob: SHA256Digest) throws(StoreFailure) -> ChangeStamp?

    /// All blobs, in a stable order.
    func blobs() throws(StoreFailure) -> [SHA256Digest]

    /// Deletes a blob unless it was put within the last `seconds`.
    ///
    /// - Returns: whether it was deleted.
    func delete(_ blob: SHA256Digest, unlessPutWithin seconds: Int) throws(StoreFailure) -> Bool

    /// Removes incomplete blobs that crashed or interrupted writers left behind, and nothing that a writer
    /// is still working on.
    ///
    /// - Returns: the number of leftovers removed.
    @discardableResult
    func sweep() throws(StoreFailure) -> Int
}

extension Blobs {
    package func bytes(
        of blob: SHA256Digest,
        atMost limit: Int,
    ) throws(StoreFailure) -> [UInt8]? { nil }

    package func earlyPut(of source: any ByteSource) -> (any EarlyPut)? { nil }

    package var isElsewhere: Bool { false }

    package func isKnownDamaged(_ blob: SHA256Digest) -> Bool { false }

    package func isThere(_ blob: SHA256Digest) throws(StoreFailure) -> Bool {
        try facts(of: blob) != nil
    }

    package func address(of blob: SHA256Digest, lasting: Int) throws(StoreFailure) -> String? {
        nil
    }

    package func answersHeadAtAddresses() throws(StoreFailure) -> Bool { false }

    package func fileAtHand(of blob: SHA256Digest) throws(StoreFailure) -> String? {
        try file(of: blob)
    }

    package func fetchFile(
        of blob: SHA256Digest,
        _ done: @escaping @Sendable (Result<String, StoreFailure>) -> Void,
    ) {
        done(Result { () throws(StoreFailure) in try file(of: blob) })
    }

    package func file(of blob: SHA256Digest) throws(StoreFailure) -> String {
        guard let path = try open(blob).path else { throw .missingBlob(blob) }
        return path
    }
}

/// A transfer of bytes to the backend that starts while the caller still inspects them.
///
/// The bytes become a blob only by ``IncomingBlob/commit(as:)``, which waits for the rest of the transfer.
package protocol EarlyPut: Sendable {
    /// Starts the transfer, as soon as the digest is known.
    func begin(as digest: SHA256Digest)

    /// Discards the transfer if no commit has used it.
    func end()
}

/// A blob that is being received.
///
/// Used by one thread at a time. If it is released without ``commit(as:)``, it leaves nothing behind.
package protocol IncomingBlob: AnyObject {
    /// Appends bytes.
    func append(_ bytes: UnsafeRawBufferPointer) throws(StoreFailure)

    /// Appends the bytes of a file, without copying them through memory where the file system can;
    /// `progress` gets the number of bytes appended since its last call.
    func append(
        contentsOf path: String,
        progress: (Int) -> Void,
    ) throws(StoreFailure)

    /// The number of bytes received.
    var count: Int { get }

    /// The bytes received so far, for reading by ranges before the commit.
    func source() throws(StoreFailure) -> any ByteSource

    /// Makes the bytes a durable blob, under the digest that the caller computed while they arrived.
    func commit(as digest: SHA256Digest) throws(StoreFailure)
}

/// A blob that is received over several connections, or across restarts of the server.
///
/// Used by one thread at a time. Releasing it keeps the bytes received.
package protocol ResumableBlob: IncomingBlob {
    /// Sets the total size, so that space can be reserved.
    func expect(_ size: Int)

    /// Discards everything after the first `count` bytes.
    func truncate(to count: Int) throws(StoreFailure)

    /// Returns once all bytes received so far are durable.
    func sync() throws(StoreFailure)
}

/// A blob that is open for reading.
package struct StoredBlob: Sendable {
    package let digest: SHA256Digest
    package let source: any ByteSource
    /// The path for a server that sends the file by descriptor; nil if the blob is not a local file.
    package let path: String?

    package init(digest: SHA256Digest, source: any ByteSource, path: String?) {
        self.digest = digest
        self.source = source
        self.path = path
    }

    package var size: Int { source.count }
}

/// See ``Blobs/facts(of:)``.
package struct BlobFacts: Sendable, Equatable {
    package let size: Int
    /// Seconds since it was put, by the clock of the file system.
    package let age: Int

    package init(size: Int, age: Int) {
        self.size = size
        self.age = age
    }
}
