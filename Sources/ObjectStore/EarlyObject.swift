import Bytes
import Cryptography
import S3
import Store
import Synchronization

/// A large blob that is uploaded while it is inspected, for the first commit of the same bytes.
final class EarlyObject: EarlyPut {
    private let source: any ByteSource
    private let backend: ObjectBackend
    private let digest = Mutex<SHA256Digest?>(nil)

    init(_ source: any ByteSource, for backend: ObjectBackend) {
        self.source = source
        self.backend = backend
    }

    func begin(as digest: SHA256Digest) {
        self.digest.withLock { $0 = digest }
        backend.early.begin(digest) {
            PendingUpload(
                source,
                digest: digest,
                to: backend.keys.key(digest),
                identifier: backend.identifier(),
                by: backend.client,
            )
        }
    }

    func end() {
        guard let digest = digest.withLock(\.self) else { return }
        backend.early.take(digest)?.giveUp()
    }
}

/// Uploads of blobs that started before the commit; one per digest.
final class EarlyObjects: Sendable {
    private let pending = Mutex<[SHA256Digest: PendingUpload]>([:])

    func begin(_ digest: SHA256Digest, _ make: () -> PendingUpload) {
        pending.withLock { pending in
            if pending[digest] == nil { pending[digest] = make() }
        }
    }

    /// Removes and returns the upload of a blob, which then belongs to the caller.
    func take(_ digest: SHA256Digest) -> PendingUpload? {
        pending.withLock { $0.removeValue(forKey: digest) }
    }
}
