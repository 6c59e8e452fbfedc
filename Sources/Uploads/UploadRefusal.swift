import Bytes
package import Cryptography
package import Problems
import Releases

/// Why an upload is not begun, not continued, or dropped.
package enum UploadRefusal: ReportableError, Equatable {
    /// A field of the offer, and what is wrong with it: `is not …`.
    case malformed(String, String)
    /// The token's name, the app if it is known, and what the token allows.
    case notAllowed(token: String, app: String?, scopes: String)
    /// The request does not give the length of the upload.
    case lengthRequired
    case tooLarge(Int, limit: Int)
    case tooMany(Int, ofToken: Bool)
    case quotaExceeded(Int, used: Int, quota: Int)
    /// The last value is what uploads in progress still lack.
    case noRoom(Int, free: Int, reserve: Int, promised: Int)
    /// This token has no such upload.
    case unknown
    case wrongOffset(expected: Int, given: Int)
    /// More or fewer bytes arrived than were offered.
    case wrongLength(String)
    /// Another request has taken over the upload.
    case takenOver
    case isComplete
    /// The check that its uploader requested has no result yet.
    case notChecked
    /// The bytes are not the offered ones; they have been removed.
    case wrongDigest(expected: SHA256Digest, found: SHA256Digest)
    /// The archive contains a different build than the offer said.
    case otherBuild(said: String, found: String)
    /// The server has crashed while it published the build, and so has another process.
    case unpublishable(attempts: Int)
    /// The connection ended before the body did; the bytes that arrived are kept.
    case cut(at: Int)

    package var kind: Problem.Kind {
        switch self {
        case .notAllowed: .refused
        case .wrongLength, .isComplete, .cut, .lengthRequired: .malformed
        case .tooLarge: .tooLarge
        case .tooMany: .tooMany
        case .quotaExceeded, .noRoom: .outOfRoom
        case .unknown: .notFound
        case .wrongOffset, .takenOver, .notChecked: .conflict
        case .malformed, .wrongDigest, .otherBuild, .unpublishable: .invalid
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
        case .notChecked: "upload.not-checked"
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

    package var fix: String {
        switch self {
        case .notAllowed:
            "use a token that can publish it; an admin creates one with `ota tokens create`"
        case .malformed: "correct that field and send the request again"
        case .lengthRequired: "send the size as Content-Length or Upload-Length"
        case .tooLarge: "raise the server's --max-upload-mb, or make the build smaller"
        case .tooMany: "wait for running uploads, or cancel some with DELETE"
        case .quotaExceeded: "finish or cancel uploads of this token, or wait a day"
        case .noRoom(_, _, _, promised: 0):
            "free space on the server: `ota releases prune`, then `ota store gc`"
        case .noRoom:
            "wait for running uploads, or cancel them with DELETE; or free space on the server: "
                + "`ota releases prune`, then `ota store gc`"
        case .unknown: "start the upload again"
        case .wrongOffset: "continue from the expected offset"
        case .wrongLength: "send exactly the announced number of bytes, or start again"
        case .takenOver: "get the offset, and continue from there"
        case .notChecked: "wait until GET returns the state `checked`, then publish"
        case .isComplete: "get the result of the upload with GET"
        case .wrongDigest: "upload the file again; if it happens again, check memory and disks"
        case .otherBuild: "announce what the archive contains, or leave it out"
        case .unpublishable:
            "check the server's log; `ota publish --dry-run` on another machine shows whether the "
                + "build crashes it too"
        case .cut: "get the offset, and continue from there"
        }
    }

    /// How to fix it in a browser, if a file was checked, published or dropped in another tab in the
    /// meantime.
    package var pageFix: String? {
        switch self {
        case .unknown: "it was discarded or has expired; choose the file again on “Publish a build”"
        case .isComplete: "it has already been published; reload the page to see the release"
        case .notChecked: "reload the page in a minute; the check is still running"
        case .tooMany, .quotaExceeded: "publish or discard checked files first, or try again later"
        default: nil
        }
    }
}

extension UploadRefusal: CustomStringConvertible {
    package var description: String {
        switch self {
        case .notAllowed(let token, let app?, let scopes):
            "the token \(quoted: token) allows \(scopes), but this build is of \(app)"
        case .notAllowed(let token, nil, let scopes):
            "the token \(quoted: token) allows \(scopes), but not publishing"
        case .malformed(let field, let what): "the field \(field) \(what)"
        case .lengthRequired: "the request does not say how many bytes the build has"
        case .tooLarge(let size, let limit):
            Self.words(size, over: limit) { word in
                "the build is \(word(size)), but this server accepts at most \(word(limit))"
            }
        case .tooMany(let limit, ofToken: true): "this token already has \(limit) running uploads"
        case .tooMany(let limit, ofToken: false): "there are already \(limit) running uploads"
        case .quotaExceeded(let size, let used, let quota):
            Self.words(size, used, over: quota) { word in
                "\(word(size)) more would exceed this token's quota: its uploads already use "
                    + "\(word(used)) of \(word(quota))"
            }
        case .noRoom(let size, let free, let reserve, let promised):
            Self.words(size, reserve, promised, over: free) { word in
                "the server's disk has no room for \(word(size)): it has \(word(free)) free, of which "
                    + "\(word(reserve)) must stay free"
                    + (promised == 0 ? "" : " and running uploads need \(word(promised))")
            }
        case .unknown: "there is no such upload"
        case .wrongOffset(let expected, let given):
            "the request begins at byte \(given), but the server expects byte \(expected)"
        case .wrongLength(let what): what
        case .takenOver: "another request has taken this upload over"
        case .isComplete: "this upload is already complete"
        case .notChecked: "this upload is not checked yet"
        case .wrongDigest(let expected, let found):
            "the received file has the SHA-256 \(found), but \(expected) was announced"
        case .otherBuild(let said, let found):
            "the archive is \(quoted: found), but \(quoted: said) was announced"
        case .unpublishable(let attempts):
            "the server crashed \(attempts == 1 ? "" : "\(attempts) times ")while publishing this "
                + "build, so it gave up"
        case .cut(let offset): "the connection ended early; \(offset.grouped) bytes have arrived"
        }
    }

    /// A sentence about sizes whose sum exceeds a limit: rounded, or in bytes if rounding would make both
    /// look the same.
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
        return sentence { isClose && $0 >= 1000 ? "\($0.grouped) bytes" : Wording.size($0) }
    }
}
