package import Bytes
package import Cryptography
import Dispatch
import Synchronization

/// A multipart upload in progress, whose object appears once it is finished.
package final class PendingUpload: Sendable {
    private enum State {
        case sending
        case sent(upload: String, parts: [UploadedParts.Part])
        case failed(S3Failure)
        /// Finished or given up.
        case over
    }

    private let client: S3Client
    private let source: any ByteSource
    private let digest: SHA256Digest
    private let key: String
    private let identifier: String
    private let parts: UploadedParts
    private let state = Mutex(State.sending)
    let end = DispatchGroup()

    /// Starts the upload at once, on its own threads.
    ///
    /// - Parameters:
    ///   - source: the bytes, at least ``S3Client/partedFrom``.
    ///   - digest: their digest, which is compared with what was read and sent.
    ///   - key: the key of the object.
    ///   - identifier: as in ``S3Write``.
    ///   - client: the client for the bucket.
    package init(
        _ source: any ByteSource,
        digest: SHA256Digest,
        to key: String,
        identifier: String,
        by client: S3Client,
    ) {
        self.client = client
        self.source = source
        self.digest = digest
        self.key = key
        self.identifier = identifier
        parts = UploadedParts(of: source, to: key)
        DispatchQueue.global(qos: .userInitiated).async(group: end) { [self] in send() }
    }

    /// Waits for all parts and completes the upload; replaces an existing object.
    ///
    /// - Throws: ``S3Failure``; ``S3Failure/otherBytes(key:)`` if the bytes do not match the digest, or the
    ///   upload was given up.
    package func finish() throws(S3Failure) {
        end.wait()
        let state = state.withLock { state in
            defer { state = .over }
            return state
        }
        switch state {
        case .sent(let upload, let parts):
            do throws(S3Failure) {
                try client.complete(upload, of: key, parts, identifier)
            } catch {
                try? client.abort(upload, of: key)
                throw error
            }
            guard let facts = try client.facts(of: key), facts.size == source.count else {
                throw .otherBytes(key: key)
            }
        case .failed(let failure): throw failure
        case .sending, .over: throw .otherBytes(key: key)
        }
    }

    /// Gives up the upload unless it is finished, so that the store keeps no parts.
    ///
    /// Waits for parts in transit, but at most ``patience`` seconds: a command ends afterwards, and no other thread
    /// of it could still abort the upload.
    package func giveUp() {
        parts.stop()
        let state = state.withLock { state in
            defer { state = .over }
            return state
        }
        switch state {
        case .sent(let upload, _): try? client.abort(upload, of: key)
        case .sending: _ = end.wait(timeout: .now() + .seconds(Self.patience))
        case .failed, .over: break
        }
    }

    private static let patience = 20

    private func send() {
        var begun: String?
        do throws(S3Failure) {
            let upload = try client.beginUpload(of: key, identifier)
            begun = upload
            let sent = try parts.send(digest, in: upload, by: client.caller)
            if change(to: .sent(upload: upload, parts: sent)) { return }
        } catch {
            _ = change(to: .failed(error))
        }
        if let begun { try? client.abort(begun, of: key) }
    }

    /// - Returns: false if it was given up meanwhile.
    private func change(to new: State) -> Bool {
        state.withLock { state in
            guard case .sending = state else { return false }
            state = new
            return true
        }
    }
}
