package import Bytes
package import Cryptography
import Essentials
import HTTPCalling
import Synchronization

/// Large objects, in parts that are each digested, sent and repeated by themselves.
extension S3Client {
    /// Bytes from which on an object is sent in parts.
    package static let partedFrom = 16 << 20
    /// Bytes of a part, unless that makes more than the 10,000 parts which S3 allows: a build of 200 MB is
    /// ten requests.
    private static let part = 32 << 20
    private static let mostParts = 10_000
    /// Bytes that are read at once to be digested.
    private static let piece = 1 << 20

    /// Writes an object of any size, over one that may be there; some pieces of it are in memory at a time.
    ///
    /// - Parameters:
    ///   - source: the bytes.
    ///   - digest: what they are; it is compared with what was read and sent before the object appears.
    ///   - key: of the object.
    ///   - identifier: as in ``S3Write``.
    /// - Throws: ``S3Failure``; ``S3Failure/otherBytes(key:)`` for other bytes than `digest` says.
    package func write(
        _ source: any ByteSource,
        digest: SHA256Digest,
        to key: String,
        identifier: String,
    ) throws(S3Failure) {
        guard source.count >= Self.partedFrom else {
            let bytes = try Self.bytes(of: source, at: 0, count: source.count)
            guard SHA256Digest(of: bytes) == digest else { throw .otherBytes(key: key) }
            let write = S3Write(bytes, to: key, if: .none, identifier: identifier)
            guard case .stored = try self.write(write) else { throw .otherBytes(key: key) }
            return
        }
        let upload = try beginUpload(of: key, identifier)
        do throws(S3Failure) {
            let parts = try send(source, digest: digest, to: key, in: upload)
            try complete(upload, of: key, parts, identifier)
        } catch {
            try? abort(upload, of: key)
            throw error
        }
        guard let facts = try facts(of: key), facts.size == source.count else {
            throw .otherBytes(key: key)
        }
    }

    /// Ends uploads that were not completed, which the store otherwise keeps and charges for.
    ///
    /// - Parameters:
    ///   - prefix: of their keys.
    ///   - seconds: how long ago they must have begun, by the store's clock.
    /// - Returns: how many were ended.
    /// - Throws: ``S3Failure``.
    package func abortUploads(
        under prefix: String,
        olderThan seconds: Int,
    ) throws(S3Failure) -> Int {
        var call = S3Call(method: "GET", action: "s3:ListBucketMultipartUploads")
        call.query = [("uploads", ""), ("prefix", prefix)]
        call.longestAnswer = 8 << 20
        let answer = try caller.outcome(of: call).answer
        guard let root = AnswerElement.document(answer.body), let now = answer.date else {
            throw .unreadable(reason: "it is not a list of uploads")
        }
        var count = 0
        for entry in root.all("Upload") {
            guard let key = entry.text("Key"), key.hasBytes(first: prefix),
                let upload = entry.text("UploadId"),
                let began = entry.text("Initiated").flatMap(Self.date),
                now.timeIntervalSince(began) >= Double(seconds)
            else { continue }
            try abort(upload, of: key)
            count += 1
        }
        return count
    }

    private struct Part {
        let number: Int
        let etag: ETag
        let checksum: String
    }

    private func beginUpload(of key: String, _ identifier: String) throws(S3Failure) -> String {
        var call = S3Call(method: "POST", key: key, action: "s3:PutObject")
        call.query = [("uploads", "")]
        call.headers = [
            "content-type": "application/octet-stream",
            "x-amz-checksum-algorithm": "SHA256",
            S3ObjectFacts.prefix + S3Write.name: identifier,
        ]
        let answer = try caller.outcome(of: call).answer
        guard let upload = AnswerElement.document(answer.body)?.text("UploadId"),
            (1...2_000).contains(upload.utf8.count)
        else { throw .unreadable(reason: "it names no upload") }
        return upload
    }

    private func send(
        _ source: any ByteSource,
        digest: SHA256Digest,
        to key: String,
        in upload: String,
    ) throws(S3Failure) -> [Part] {
        let size = max(Self.part, (source.count + Self.mostParts - 1) / Self.mostParts)
        let whole = SHA256Hasher()
        var parts: [Part] = []
        var offset = 0
        while offset < source.count {
            let range = offset..<min(offset + size, source.count)
            let part = try Self.digest(of: source, in: range, alsoInto: whole)
            offset = range.upperBound
            // Before the last part, so that other bytes than the digest's never become an object.
            if offset == source.count, whole.finish() != digest { throw .otherBytes(key: key) }
            parts.append(
                try send(source, range, part, as: parts.count + 1, to: key, in: upload)
            )
        }
        return parts
    }

    private static func digest(
        of source: any ByteSource,
        in range: Range<Int>,
        alsoInto whole: SHA256Hasher,
    ) throws(S3Failure) -> SHA256Digest {
        let hasher = SHA256Hasher()
        var offset = range.lowerBound
        while offset < range.upperBound {
            let count = min(piece, range.upperBound - offset)
            let bytes = try Self.bytes(of: source, at: offset, count: count)
            hasher.update(bytes)
            whole.update(bytes)
            offset += count
        }
        return hasher.finish()
    }

    /// Sends a part, which is read again: the store refuses it if it is not what was digested.
    private func send(
        _ source: any ByteSource,
        _ range: Range<Int>,
        _ digest: SHA256Digest,
        as number: Int,
        to key: String,
        in upload: String,
    ) throws(S3Failure) -> Part {
        var call = S3Call(method: "PUT", key: key, action: "s3:PutObject")
        let checksum = Self.checksum(digest)
        call.query = [("partNumber", String(number)), ("uploadId", upload)]
        call.headers = ["x-amz-checksum-sha256": checksum]
        let unread = UnreadSource()
        call.flowing = (
            FlowingBody(count: range.count) { piece in
                do throws(SourceFailure) {
                    return try source.bytes(
                        at: range.lowerBound + piece.lowerBound,
                        count: piece.count,
                    )
                } catch {
                    unread.reason.withLock { $0 = error.reason }
                    throw error
                }
            },
            digest,
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
        return Part(number: number, etag: etag, checksum: checksum)
    }

    private func complete(
        _ upload: String,
        of key: String,
        _ parts: [Part],
        _ identifier: String,
    ) throws(S3Failure) {
        var call = S3Call(method: "POST", key: key, action: "s3:PutObject")
        call.query = [("uploadId", upload)]
        call.headers = ["content-type": "application/xml"]
        let list = parts.map { part in
            let etag = part.etag.text.filter { $0 != "\"" && $0 != "<" && $0 != "&" }
            return "<Part><ChecksumSHA256>\(part.checksum)</ChecksumSHA256><ETag>\(etag)</ETag>"
                + "<PartNumber>\(part.number)</PartNumber></Part>"
        }
        call.body = Array(
            "<CompleteMultipartUpload xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">\(list.joined())</CompleteMultipartUpload>"
                .utf8
        )
        let outcome = try caller.outcome(of: call, accepting: [404])
        let root = AnswerElement.document(outcome.answer.body)
        // A success may turn out to be none after its status was sent.
        if outcome.answer.status == 200, root?.name == "CompleteMultipartUploadResult" { return }
        let refusal = S3Refusal(outcome.answer)
        if refusal.code == "NoSuchUpload", outcome.mayBeRepeated,
            try facts(of: key)?.writes.first == identifier
        {
            return
        }
        throw refusal.code == "InternalError"
            ? .unavailable(host: bucket.authority, status: refusal.status, code: refusal.code)
            : .refused(status: refusal.status, code: refusal.code, said: refusal.said)
    }

    private func abort(_ upload: String, of key: String) throws(S3Failure) {
        var call = S3Call(method: "DELETE", key: key, action: "s3:AbortMultipartUpload")
        call.query = [("uploadId", upload)]
        _ = try caller.outcome(of: call, accepting: [404])
    }

    private static func bytes(
        of source: any ByteSource,
        at offset: Int,
        count: Int,
    ) throws(S3Failure) -> [UInt8] {
        do throws(SourceFailure) {
            return try source.bytes(at: offset, count: count)
        } catch {
            throw .source(reason: error.reason)
        }
    }
}

/// Why a part could not be read while it was sent.
private final class UnreadSource: Sendable {
    let reason = Mutex<String?>(nil)
}
