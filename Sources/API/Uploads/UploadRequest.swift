import Bytes
import Cryptography
import HTTPTypes
import Hummingbird
import Uploads

/// The header fields of a request with bytes of an upload.
struct UploadRequest {
    /// Whether these are the last bytes.
    let isComplete: Bool
    /// The offset of the bytes; 0 for a request that starts an upload.
    let offset: Int
    /// Nil for a chunked body.
    let contentLength: Int?

    init(_ request: Request) throws(UploadRefusal) {
        isComplete = try Self.complete(request)
        if request.method == .patch {
            guard let text = request.headers[.uploadOffset] else {
                throw .malformed(UploadField.offset, "is missing")
            }
            guard let offset = UploadField.count(text) else {
                throw .malformed(UploadField.offset, "is not a number of bytes")
            }
            self.offset = offset
        } else {
            offset = 0
        }
        let length = request.headers[.contentLength].flatMap(Int.init)
        let isChunked = request.headers[.transferEncoding] != nil
        contentLength = length ?? (isChunked ? nil : 0)
    }

    /// Checks that the bytes continue the upload, and do not exceed it.
    func check(at expected: Int, missing: Int) throws(UploadRefusal) {
        guard offset == expected else { throw .wrongOffset(expected: expected, given: offset) }
        guard let contentLength else { return }
        guard contentLength <= missing else {
            throw .wrongLength(
                "the request sends \(contentLength.grouped) bytes, but \(missing) are missing"
            )
        }
        guard !isComplete || contentLength == missing else {
            throw .wrongLength(
                "the last request sends \(contentLength.grouped) bytes, but \(missing) are missing"
            )
        }
    }

    private static func complete(_ request: Request) throws(UploadRefusal) -> Bool {
        guard let text = request.headers[.uploadComplete] else { return true }
        guard let isComplete = UploadField.boolean(text) else {
            throw .malformed(UploadField.complete, "is not ?0 or ?1")
        }
        return isComplete
    }

    /// The offer of a request whose body is the build or its first bytes, from the query and header fields.
    static func offer(of request: Request) throws(UploadRefusal) -> UploadOffer {
        var query: [String: String] = [:]
        for (name, value) in request.uri.queryParameters {
            guard query.updateValue(String(value), forKey: String(name)) == nil else {
                throw .malformed(String(name), "is given twice")
            }
        }
        var sha256: SHA256Digest?
        if let text = request.headers[.reprDigest] {
            guard let digest = UploadField.sha256(text) else {
                throw .malformed(UploadField.digest, "does not have one sha-256")
            }
            sha256 = digest
        }
        return try UploadOffer(query: query, size: try size(request), sha256: sha256)
    }

    private static func size(_ request: Request) throws(UploadRefusal) -> Int {
        let length = request.headers[.contentLength].flatMap(Int.init)
        if let text = request.headers[.uploadLength] {
            guard let size = UploadField.count(text) else {
                throw .malformed(UploadField.length, "is not a number of bytes")
            }
            return size
        }
        guard try complete(request), let length else { throw .lengthRequired }
        return length
    }
}

extension UploadRefusal {
    /// Creates the refusal of an offer with invalid JSON.
    init(_ error: DecodingError) {
        self =
            switch error {
            case .keyNotFound(let key, _): .malformed(key.stringValue, "is missing")
            case .typeMismatch(_, let context), .valueNotFound(_, let context),
                .dataCorrupted(let context):
                .malformed(
                    Self.field(context.codingPath),
                    error.wanted.map { "must be \($0)" } ?? "cannot be understood",
                )
            @unknown default: .malformed("body", "cannot be understood")
            }
    }

    private static func field(_ path: [any CodingKey]) -> String {
        path.isEmpty ? "body" : DecodingError.place(of: path)
    }
}

extension HTTPField.Name {
    static let uploadComplete = upload(UploadField.complete)
    static let uploadOffset = upload(UploadField.offset)
    static let uploadLength = upload(UploadField.length)
    static let uploadLimit = upload(UploadField.limit)
    static let uploadInterop = upload(UploadField.interop)
    static let reprDigest = upload(UploadField.digest)
    static let prefer = upload("Prefer")
    static let preferenceApplied = upload("Preference-Applied")

    /// All names are valid tokens, so the fallback is never used.
    private static func upload(_ name: String) -> HTTPField.Name {
        HTTPField.Name(name) ?? .server
    }
}
