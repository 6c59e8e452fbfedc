import Bytes
import Cryptography
import HTTPCalling
import Synchronization

/// The parts of a multipart upload, sent by several threads at once.
///
/// Parts are hashed in order, one at a time. Each byte is read once for hashing, for its part and for the
/// whole, so that the digest of the whole covers exactly the parts that were sent. While a part is hashed,
/// others are being sent.
final class UploadedParts: Sendable {
    struct Part: Sendable {
        let number: Int
        let etag: ETag
        let checksum: String
    }

    /// The minimum size of a part in bytes; larger only if there would be more than the 10,000 parts that
    /// S3 allows.
    ///
    /// A build of 200 MB takes ten requests.
    private static let partSize = 32 << 20
    private static let mostParts = 10_000
    /// The most parts sent at once, each with one or two pieces in memory.
    private static let mostAtOnce = 4
    /// The number of bytes read at once for hashing.
    private static let piece = 256 << 10

    private struct State: ~Copyable {
        let whole = SHA256Hasher()
        var offset = 0
        var begun = 0
        var sent: [Part] = []
        var failure: S3Failure?
        var isStopped = false
    }

    private struct Digested {
        let number: Int
        let range: Range<Int>
        let digest: SHA256Digest
    }

    private let source: any ByteSource
    private let key: String
    private let size: Int
    private let state = Mutex(State())

    init(of source: any ByteSource, to key: String) {
        self.source = source
        self.key = key
        size = max(Self.partSize, (source.count + Self.mostParts - 1) / Self.mostParts)
    }

    /// Sends all parts, on separate threads.
    ///
    /// - Parameters:
    ///   - digest: the digest of the whole object.
    ///   - upload: the store's identifier of the multipart upload.
    ///   - caller: sends the requests.
    /// - Returns: the parts in the store, in order.
    /// - Throws: the first ``S3Failure`` of any part; ``S3Failure/otherBytes(key:)`` if the whole does not
    ///   match `digest`, or sending was stopped.
    func send(
        _ digest: SHA256Digest,
        in upload: String,
        by caller: S3Caller,
    ) throws(S3Failure) -> [Part] {
        let count = (source.count + size - 1) / size
        WorkerThread.run(on: min(count, Self.mostAtOnce)) {
            do throws(S3Failure) {
                while let part = try self.next() {
                    let sent = try self.send(part, in: upload, by: caller)
                    self.state.withLock { $0.sent.append(sent) }
                }
            } catch {
                self.state.withLock { $0.failure = $0.failure ?? error }
            }
        }
        return try state.withLock { state throws(S3Failure) in
            if let failure = state.failure { throw failure }
            guard state.sent.count == count, state.whole.finish() == digest else {
                throw .otherBytes(key: key)
            }
            return state.sent.sorted { $0.number < $1.number }
        }
    }

    /// Starts no further parts.
    func stop() { state.withLock { $0.isStopped = true } }

    /// The next part with its digest; nil if there is none left, or another one has failed.
    private func next() throws(S3Failure) -> Digested? {
        try state.withLock { state throws(S3Failure) in
            guard state.failure == nil, !state.isStopped, state.offset < source.count else {
                return nil
            }
            let range = state.offset..<min(state.offset + size, source.count)
            let hasher = SHA256Hasher()
            while state.offset < range.upperBound {
                let count = min(Self.piece, range.upperBound - state.offset)
                let bytes = try source.bytesToSend(at: state.offset, count: count)
                hasher.update(bytes)
                state.whole.update(bytes)
                state.offset += count
            }
            state.begun += 1
            return Digested(number: state.begun, range: range, digest: hasher.finish())
        }
    }

    /// Sends a part, which is read again; the store rejects it if it does not match the digest.
    private func send(
        _ part: Digested,
        in upload: String,
        by caller: S3Caller,
    ) throws(S3Failure) -> Part {
        var call = S3Call(method: "PUT", key: key, action: "s3:PutObject")
        let checksum = S3Client.checksum(part.digest)
        call.query = [("partNumber", String(part.number)), ("uploadId", upload)]
        call.headers = ["x-amz-checksum-sha256": checksum]
        let unread = UnreadSource()
        call.flowing = (
            FlowingBody(count: part.range.count) { [source] piece in
                do throws(SourceFailure) {
                    return try source.bytes(
                        at: part.range.lowerBound + piece.lowerBound,
                        count: piece.count,
                    )
                } catch {
                    unread.reason.withLock { $0 = error.reason }
                    throw error
                }
            },
            part.digest,
        )
        let answer: CallAnswer
        do throws(S3Failure) {
            answer = try caller.outcome(of: call).answer
        } catch {
            if let reason = unread.reason.withLock({ $0 }) { throw .source(reason: reason) }
            throw error
        }
        guard let etag = answer.headers["etag"].flatMap(ETag.init) else {
            throw .unreadable(reason: "it has no ETag")
        }
        return Part(number: part.number, etag: etag, checksum: checksum)
    }
}

/// Holds the reason why a part could not be read while it was sent.
private final class UnreadSource: Sendable {
    let reason = Mutex<String?>(nil)
}

extension ByteSource {
    /// Reads bytes that are to be sent to a store.
    ///
    /// - Throws: ``S3Failure/source(reason:)`` if they cannot be read.
    func bytesToSend(at offset: Int, count: Int) throws(S3Failure) -> [UInt8] {
        do throws(SourceFailure) {
            return try bytes(at: offset, count: count)
        } catch {
            throw .source(reason: error.reason)
        }
    }
}
