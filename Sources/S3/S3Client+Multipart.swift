package import Bytes
package import Cryptography
import Essentials
import HTTPCalling
import Synchronization

/// Multipart uploads of large objects: parts are hashed, sent and retried separately, several at a time.
extension S3Client {
    /// The size in bytes from which on an object is uploaded in parts.
    package static let partedFrom = 16 << 20
    /// Writes an object of any size, without reading it into memory as a whole; replaces an existing
    /// object.
    ///
    /// - Parameters:
    ///   - source: the bytes.
    ///   - digest: their digest, which is compared with what was read and sent before the object appears.
    ///   - key: the key of the object.
    ///   - identifier: as in ``S3Write``.
    /// - Throws: ``S3Failure``; ``S3Failure/otherBytes(key:)`` if the bytes do not match `digest`.
    package func write(
        _ source: any ByteSource,
        digest: SHA256Digest,
        to key: String,
        identifier: String,
    ) throws(S3Failure) {
        guard source.count >= Self.partedFrom else {
            let bytes = try source.bytesToSend(at: 0, count: source.count)
            guard SHA256Digest(of: bytes) == digest else { throw .otherBytes(key: key) }
            let write = S3Write(bytes, to: key, if: .none, identifier: identifier)
            guard case .stored = try self.write(write) else { throw .otherBytes(key: key) }
            return
        }
        try PendingUpload(source, digest: digest, to: key, identifier: identifier, by: self)
            .finish()
    }

    /// Aborts incomplete multipart uploads, which the store would otherwise keep and charge for.
    ///
    /// - Parameters:
    ///   - prefix: the prefix of their keys.
    ///   - seconds: the minimum age, by the store's clock.
    /// - Returns: the number of aborted uploads.
    /// - Throws: ``S3Failure``.
    package func abortUploads(
        under prefix: String,
        olderThan seconds: Int,
    ) throws(S3Failure) -> Int {
        var call = S3Call(method: "GET", action: "s3:ListBucketMultipartUploads")
        call.longestAnswer = 8 << 20
        var count = 0
        var place: [(name: String, value: String)] = []
        for _ in 0..<Self.mostUploadPages {
            call.query = [("uploads", ""), ("prefix", prefix)] + place
            let answer = try caller.outcome(of: call).answer
            guard let root = AnswerElement.document(answer.body), let now = answer.date else {
                throw .unreadable(reason: "it is not a list of uploads")
            }
            for entry in root.all("Upload") {
                guard let key = entry.text("Key"), key.hasBytes(first: prefix),
                    let upload = entry.text("UploadId"),
                    let began = entry.text("Initiated").flatMap(Self.date),
                    now.timeIntervalSince(began) >= Double(seconds)
                else { continue }
                try abort(upload, of: key)
                count += 1
            }
            guard root.text("IsTruncated") == "true", let key = root.text("NextKeyMarker"),
                !key.isEmpty
            else { break }
            place = [("key-marker", key)]
            if let upload = root.text("NextUploadIdMarker"), !upload.isEmpty {
                place.append(("upload-id-marker", upload))
            }
        }
        return count
    }

    /// The most pages of incomplete uploads that are read at once; the next collection reads the rest.
    private static let mostUploadPages = 1_000

    func beginUpload(of key: String, _ identifier: String) throws(S3Failure) -> String {
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

    func complete(
        _ upload: String,
        of key: String,
        _ parts: [UploadedParts.Part],
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
        // A response may start with status 200 and still contain an error.
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

    func abort(_ upload: String, of key: String) throws(S3Failure) {
        var call = S3Call(method: "DELETE", key: key, action: "s3:AbortMultipartUpload")
        call.query = [("uploadId", upload)]
        _ = try caller.outcome(of: call, accepting: [404])
    }
}
