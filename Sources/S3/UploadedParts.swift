import Bytes
import Cryptography
import HTTPCalling
import Synchronization

/// The parts of one large object, which some threads send at once.
///
/// They are digested in their order, one at a time, each byte for its part and for the whole by the same
/// reading, so what was sent is what the whole was digested from; while one is digested others are on their
/// way.
final class UploadedParts: Sendable {
    struct Part: Sendable {
        let number: Int
        let etag: ETag
        let checksum: String
    }

    /// Bytes of a part, unless that makes more than the 10,000 parts which S3 allows: a build of 200 MB is
    /// ten requests.
    private static let partSize = 32 << 20
    private static let mostParts = 10_000
    /// How many are sent at once, each with a piece or two of it in memory.
    private static let mostAtOnce = 4
    /// Bytes that are read at once to be digested.
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

    /// Sends all of them, on threads of their own.
    ///
    /// - Parameters:
    ///   - digest: of the whole.
    ///   - upload: what the store calls the upload that they belong to.
    ///   - caller: carries them.
    /// - Returns: what the store has, in order.
    /// - Throws: the first ``S3Failure`` of any; ``S3Failure/otherBytes(key:)`` for another whole, and where
    ///   they were stopped.
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

    /// Begins no further one.
    func stop() { state.withLock { $0.isStopped = true } }

    /// The next one with its digest; nil where there is none left, or another one has failed.
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

    /// Sends a part, which is read again: the store refuses it if it is not what was digested.
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

/// Why a part could not be read while it was sent.
private final class UnreadSource: Sendable {
    let reason = Mutex<String?>(nil)
}

extension ByteSource {
    /// Bytes of it that are sent to a store.
    ///
    /// - Throws: ``S3Failure/source(reason:)`` where they cannot be read.
    func bytesToSend(at offset: Int, count: Int) throws(S3Failure) -> [UInt8] {
        do throws(SourceFailure) {
            return try bytes(at: offset, count: count)
        } catch {
            throw .source(reason: error.reason)
        }
    }
}
