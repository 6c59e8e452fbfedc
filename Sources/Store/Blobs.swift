package import Bytes
package import Cryptography

/// Blobs under their digests, and the bytes that are about to become one.
package protocol Blobs: Sendable {
    /// Begins a blob whose bytes arrive now; its digest is known once they are all there.
    func receive() throws(StoreFailure) -> any IncomingBlob

    /// Gets ready to bring bytes to where they will be kept, while they are still examined.
    ///
    /// - Parameter source: what ``receive()`` or ``upload(_:)`` gave, with all its bytes.
    /// - Returns: what begins and ends that; nil where it takes no time.
    func earlyPut(of source: any ByteSource) -> (any EarlyPut)?

    /// The bytes of an upload, made when there are none: those of every earlier call with its name
    /// are there.
    func upload(_ name: String) throws(StoreFailure) -> any ResumableBlob

    /// How many bytes of an upload there are; nil for none at all.
    func uploadSize(_ name: String) throws(StoreFailure) -> Int?

    /// Forgets the bytes of an upload.
    func removeUpload(_ name: String) throws(StoreFailure)

    /// The names of all uploads that there are bytes of.
    func uploads() throws(StoreFailure) -> [String]

    /// Bytes that there is room for; nil where that cannot be known.
    func freeSpace() throws(StoreFailure) -> Int?

    /// Opens a blob for reading by ranges.
    ///
    /// - Throws: ``StoreFailure/missingBlob(_:)``.
    func open(_ blob: SHA256Digest) throws(StoreFailure) -> StoredBlob

    /// The bytes of a small blob at once; nil where ``open(_:)`` is as good, or it has more than `limit`.
    ///
    /// They are not compared with the digest.
    ///
    /// - Throws: ``StoreFailure/missingBlob(_:)``.
    func bytes(of blob: SHA256Digest, atMost limit: Int) throws(StoreFailure) -> [UInt8]?

    /// Whether every question about a blob is a request to another machine.
    var isElsewhere: Bool { get }

    /// The path of a file of this machine with a blob's bytes, for another program: the blob's own, or a
    /// copy that was compared with the digest and stays for a quarter of an hour. Waits while that is made.
    ///
    /// - Throws: ``StoreFailure/missingBlob(_:)`` and ``StoreFailure/damagedBlob(_:path:)``.
    func file(of blob: SHA256Digest) throws(StoreFailure) -> String

    /// The path of a file as ``file(of:)`` gives it, to be opened at once; nil where a copy has to be made.
    func fileAtHand(of blob: SHA256Digest) throws(StoreFailure) -> String?

    /// Makes the copy that ``fileAtHand(of:)`` gives, once for all who want it; returns at once.
    ///
    /// - Parameters:
    ///   - blob: what is wanted.
    ///   - done: is called once, with its path or why there is none, on any thread, which may not be kept.
    func fetchFile(
        of blob: SHA256Digest,
        _ done: @escaping @Sendable (Result<String, StoreFailure>) -> Void,
    )

    /// An address of the store itself at which anyone who has it may fetch a blob by `GET`; nil where the store
    /// gives out none.
    ///
    /// - Parameters:
    ///   - blob: which.
    ///   - seconds: for how long.
    /// - Returns: the address, which must reach no log.
    /// - Throws: ``StoreFailure`` where it cannot be signed.
    func address(of blob: SHA256Digest, lasting seconds: Int) throws(StoreFailure) -> String?

    /// Whether such an address answers `HEAD` too, which phones ask first; asks the store.
    func answersHeadAtAddresses() throws(StoreFailure) -> Bool

    /// Whether a copy was to be made a short time ago and the blob's bytes were not those of its digest.
    func isKnownDamaged(_ blob: SHA256Digest) -> Bool

    /// The blob's size and when it was last put, or nil when it is not there.
    func facts(of blob: SHA256Digest) throws(StoreFailure) -> BlobFacts?

    /// Whether a blob is there, to be asked before something refers to it: one that this process has put and
    /// nothing refers to yet counts without a look.
    func isThere(_ blob: SHA256Digest) throws(StoreFailure) -> Bool

    /// A cheap token that differs once the blob's bytes may have changed; nil when it is not there.
    func stamp(of blob: SHA256Digest) throws(StoreFailure) -> ChangeStamp?

    /// Every blob, in an order that stays.
    func blobs() throws(StoreFailure) -> [SHA256Digest]

    /// Deletes a blob unless it was put within the last `seconds`.
    ///
    /// - Returns: whether it was deleted.
    func delete(_ blob: SHA256Digest, unlessPutWithin seconds: Int) throws(StoreFailure) -> Bool

    /// Removes what writers that crashed or were interrupted left of blobs that were arriving, and
    /// nothing that a writer still works on.
    ///
    /// - Returns: how many leftovers were removed.
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

/// Bytes that travel while the caller still examines them.
///
/// They are no blob before ``IncomingBlob/commit(as:)``, which then waits for what is left of the way.
package protocol EarlyPut: Sendable {
    /// Sets off, as soon as it is known what the bytes are.
    func begin(as digest: SHA256Digest)

    /// Gives up what no commit has taken.
    func end()
}

/// Bytes on their way into the store.
///
/// Used by one thread at a time. Dropped without ``commit(as:)`` it leaves nothing behind.
package protocol IncomingBlob: AnyObject {
    /// Adds bytes at the end.
    func append(_ bytes: UnsafeRawBufferPointer) throws(StoreFailure)

    /// Adds the bytes of a file at the end, where the disk can do so without moving them through
    /// memory; `progress` gets the bytes added since the last call.
    func append(
        contentsOf path: String,
        progress: (Int) -> Void,
    ) throws(StoreFailure)

    /// How many bytes have come.
    var count: Int { get }

    /// What has come so far, for reading by ranges while it is not yet a blob.
    func source() throws(StoreFailure) -> any ByteSource

    /// Makes the bytes a blob that lasts, under the digest that the caller made of them as they came.
    func commit(as digest: SHA256Digest) throws(StoreFailure)
}

/// Bytes on their way into the store over several connections, or several lives of the server.
///
/// Used by one thread at a time. Dropped, it leaves what has come where it is.
package protocol ResumableBlob: IncomingBlob {
    /// Says how many bytes there will be in all, so that room can be set aside for them.
    func expect(_ size: Int)

    /// Drops everything after `count` bytes.
    func truncate(to count: Int) throws(StoreFailure)

    /// Waits until every byte that has come would outlast a power cut.
    func sync() throws(StoreFailure)
}

/// A blob that is open for reading.
package struct StoredBlob: Sendable {
    package let digest: SHA256Digest
    package let source: any ByteSource
    /// The file, for a server that sends it by descriptor; nil when the bytes are elsewhere.
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
    /// Seconds since it was put, by the clock of the disk that holds it.
    package let age: Int

    package init(size: Int, age: Int) {
        self.size = size
        self.age = age
    }
}
