import Bytes
package import Cryptography
import Releases

/// Why an upload is not begun, not continued, or thrown away.
package enum UploadRefusal: Error, Equatable {
    /// A field of the offer, and what is wrong with it: `is not …`.
    case malformed(String, String)
    /// The token's name, the app if it is known, and what the token allows.
    case notAllowed(token: String, app: String?, scopes: String)
    /// How many bytes will come is not said.
    case lengthRequired
    case tooLarge(Int, limit: Int)
    case tooMany(Int, ofToken: Bool)
    case quotaExceeded(Int, used: Int, quota: Int)
    /// The last is what uploads under way still lack.
    case noRoom(Int, free: Int, reserve: Int, promised: Int)
    /// No upload of this name belongs to this token.
    case unknown
    case wrongOffset(expected: Int, given: Int)
    /// More or fewer bytes than the offer said.
    case wrongLength(String)
    /// Another request has taken the upload over.
    case takenOver
    case isComplete
    /// The bytes are not the ones that were offered; they are gone.
    case wrongDigest(expected: SHA256Digest, found: SHA256Digest)
    /// The archive holds something else than the offer said.
    case otherBuild(said: String, found: String)
    /// The server has ended while it published the build, and so has another process.
    case unpublishable(attempts: Int)
    /// The connection ended before the body did; what has come is kept.
    case cut(at: Int)

    /// The status of HTTP.
    package var status: Int {
        switch self {
        case .malformed: 422
        case .notAllowed: 403
        case .wrongLength, .isComplete, .cut: 400
        case .lengthRequired: 411
        case .tooLarge: 413
        case .tooMany: 429
        case .quotaExceeded, .noRoom: 507
        case .unknown: 404
        case .wrongOffset, .takenOver: 409
        case .wrongDigest, .otherBuild, .unpublishable: 422
        }
    }

    /// A stable identifier for scripts.
    package var id: String {
        switch self {
        case .malformed: "upload.malformed"
        case .notAllowed: "token.not-allowed"
        case .lengthRequired: "upload.length-required"
        case .tooLarge: "upload.too-large"
        case .tooMany: "upload.too-many"
        case .quotaExceeded: "upload.quota"
        case .noRoom: "upload.no-room"
        case .unknown: "upload.unknown"
        case .wrongOffset: "upload.wrong-offset"
        case .wrongLength: "upload.wrong-length"
        case .takenOver: "upload.taken-over"
        case .isComplete: "upload.complete"
        case .wrongDigest: "upload.wrong-digest"
        case .otherBuild: "upload.other-build"
        case .unpublishable: "upload.unpublishable"
        case .cut: "upload.cut"
        }
    }

    package var place: String {
        switch self {
        case .malformed(let field, _): field
        case .lengthRequired: "Upload-Length"
        case .wrongOffset: "Upload-Offset"
        case .wrongLength: "Content-Length"
        case .wrongDigest: "sha256"
        case .otherBuild: "Info.plist"
        default: ""
        }
    }

    package var mend: String {
        switch self {
        case .notAllowed:
            "use a token that may publish it; an admin makes one with `ota tokens create`"
        case .malformed: "mend that field and send the request again"
        case .lengthRequired: "say how many bytes come: Content-Length, or Upload-Length"
        case .tooLarge: "raise the server's --largest-upload, or make the build smaller"
        case .tooMany: "wait for uploads under way, or give some up with DELETE"
        case .quotaExceeded: "finish or give up uploads of this token, or wait a day"
        case .noRoom(_, _, _, promised: 0):
            "free space on the server: `ota releases prune`, then `ota store gc`"
        case .noRoom:
            "wait for the uploads under way, or give them up with DELETE; or free space on the server: "
                + "`ota releases prune`, then `ota store gc`"
        case .unknown: "begin the upload anew"
        case .wrongOffset: "go on from the expected offset"
        case .wrongLength: "send exactly the bytes that were offered, or begin anew"
        case .takenOver: "ask for the offset, and go on from there"
        case .isComplete: "ask for the upload's answer with GET"
        case .wrongDigest: "upload the file again; if it happens again, check memory and disks"
        case .otherBuild: "say what is in the archive, or nothing"
        case .unpublishable:
            "look into the server's log; `ota publish --dry-run` on another machine shows whether the "
                + "build ends it too"
        case .cut: "ask for the offset, and go on from there"
        }
    }
}

extension UploadRefusal: CustomStringConvertible {
    package var description: String {
        switch self {
        case .notAllowed(let token, let app?, let scopes):
            "the token \(quoted: token) allows \(scopes), and this is \(app)"
        case .notAllowed(let token, nil, let scopes):
            "the token \(quoted: token) allows \(scopes), and publishes nothing"
        case .malformed(let field, let what): "the field \(field) \(what)"
        case .lengthRequired: "the request does not say how many bytes the build has"
        case .tooLarge(let size, let limit):
            Self.words(size, over: limit) { word in
                "the build has \(word(size)) and this server takes at most \(word(limit))"
            }
        case .tooMany(let limit, ofToken: true): "this token has \(limit) uploads under way already"
        case .tooMany(let limit, ofToken: false): "\(limit) uploads are under way already"
        case .quotaExceeded(let size, let used, let quota):
            Self.words(size, used, over: quota) { word in
                "\(word(size)) more do not fit: this token's uploads come to \(word(used)) of "
                    + word(quota)
            }
        case .noRoom(let size, let free, let reserve, let promised):
            Self.words(size, reserve, promised, over: free) { word in
                "\(word(size)) do not fit: the server's disk has \(word(free)) left, of which "
                    + "\(word(reserve)) stay free"
                    + (promised == 0 ? "" : " and uploads under way need \(word(promised))")
            }
        case .unknown: "there is no such upload"
        case .wrongOffset(let expected, let given):
            "the bytes from \(given) on were sent, and those from \(expected) on are missing"
        case .wrongLength(let what): what
        case .takenOver: "another request has taken this upload over"
        case .isComplete: "all bytes of this upload have come already"
        case .wrongDigest(let expected, let found):
            "the bytes that came have the SHA-256 \(found), and \(expected) was announced"
        case .otherBuild(let said, let found):
            "the archive is \(quoted: found), and \(quoted: said) was announced"
        case .unpublishable(let attempts):
            "the server ended \(attempts == 1 ? "" : "\(attempts) times ")while it published this "
                + "build, which is set aside"
        case .cut(let offset): "the connection ended early; \(offset) bytes have come"
        }
    }

    /// A sentence about sizes that come to more than a limit: rounded, or to the byte where rounding
    /// would make both the same.
    private static func words(
        _ sizes: Int...,
        over limit: Int,
        in sentence: (_ word: (Int) -> String) -> String,
    ) -> String {
        let sum = sizes.reduce(0) { sum, size in
            let (more, isTooMuch) = sum.addingReportingOverflow(size)
            return isTooMuch ? .max : more
        }
        let isClose = Wording.size(sum) == Wording.size(limit)
        return sentence { isClose && $0 >= 1000 ? "\($0) bytes" : Wording.size($0) }
    }
}
