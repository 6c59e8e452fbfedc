import Cryptography
import HTTPServing
import Store
import Uploads

/// The bytes of an upload on disk, with their digest; used by one thread at a time.
struct UploadBytes {
    /// The number of bytes.
    private(set) var count: Int
    /// The number of bytes that are known to be durable.
    private(set) var lasting: Int
    /// The digest of all bytes; nil if some of them arrived before this run of the server.
    private var hasher: SHA256Hasher?
    private var file: (any ResumableBlob)?
    private let identifier: UploadIdentifier
    private let size: Int
    private let store: OTAStore

    init(of record: UploadRecord, count: Int, in store: OTAStore) {
        self.count = count
        lasting = min(record.lasting, count)
        hasher = count == 0 ? SHA256Hasher() : nil
        identifier = record.identifier
        size = record.offer.size
        self.store = store
    }

    mutating func append(_ window: FullWindow) throws(StoreFailure) {
        let file = try open()
        try unsafe file.append(window.bytes)
        unsafe hasher?.update(window.bytes)
        count = file.count
    }

    /// Makes the received bytes durable.
    ///
    /// - Parameter note: records the number of durable bytes, before it is used here.
    /// - Throws: the errors of the disk or of `note`. If the disk has lost bytes, they have been removed.
    mutating func settle(_ note: (Int) throws -> Void) throws {
        guard lasting < count else { return }
        let file = try open()
        do throws(StoreFailure) {
            try file.sync()
        } catch {
            // A disk reports lost bytes only once; a second sync would succeed.
            try? file.truncate(to: lasting)
            count = lasting
            hasher = lasting == 0 ? SHA256Hasher() : nil
            self.file = nil
            throw error
        }
        try note(count)
        lasting = count
    }

    /// Closes the file; the received bytes stay.
    mutating func close() {
        file = nil
    }

    /// Removes all received bytes.
    mutating func drop() throws(StoreFailure) {
        file = nil
        count = 0
        lasting = 0
        hasher = SHA256Hasher()
        try store.dropBytes(of: identifier)
    }

    /// The digest of all bytes, if all of them arrived during this run of the server; can be called once.
    mutating func digest() -> SHA256Digest? {
        defer { hasher = nil }
        return hasher?.finish()
    }

    private mutating func open() throws(StoreFailure) -> any ResumableBlob {
        if let file { return file }
        let file = try store.bytes(of: identifier)
        if file.count != count {
            // More than are known to be durable after a power cut or a failed disk; fewer if
            // another program has truncated the file.
            try file.truncate(to: min(count, file.count))
            hasher = file.count == 0 ? SHA256Hasher() : nil
            count = file.count
            lasting = min(lasting, file.count)
        }
        file.expect(size)
        self.file = file
        return file
    }
}
