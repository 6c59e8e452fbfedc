import Uploads

/// The state of an upload, as the client knows it.
struct UploadCourse {
    var upload: UploadIdentifier?
    var offset = 0
    var pieces = UploadPieces()
    /// How often it went wrong since the last sign of progress.
    var failures = 0
    /// How often the server went back to waiting for bytes after it had all of them.
    ///
    /// Taking the upload and beginning to publish it are no progress for this one: a server whose
    /// publishing fails does both every time.
    var failedPublishes = 0
    /// Whether the server must be asked before anything is sent.
    var isLost = false
    private var beginnings = 0

    private static let mostBeginnings = 3

    /// Notes how much the server has.
    mutating func advance(to offset: Int?, of size: Int) throws {
        guard let offset, offset <= size else {
            throw UploadFailure.notUnderstood("it does not say how much has arrived")
        }
        if offset > self.offset {
            failures = 0
            failedPublishes = 0
        }
        self.offset = offset
    }

    /// Goes back to the offer, for an upload that the server has given up.
    ///
    /// - Returns: false when that has happened often enough.
    mutating func beginAnew() -> Bool {
        guard upload != nil, beginnings < Self.mostBeginnings else { return false }
        beginnings += 1
        upload = nil
        offset = 0
        isLost = false
        return true
    }

    /// What a response means that is none of the expected ones.
    ///
    /// - Returns: it, where it is the last word.
    /// - Throws: ``UploadFailure`` where another try may get further.
    mutating func judge(_ answer: UploadResponse) throws -> UploadAnswer {
        switch answer.status {
        case 409 where ["upload.wrong-offset", "upload.taken-over"].contains(answer.errorID),
            400 where ["upload.cut", "upload.wrong-length"].contains(answer.errorID),
            400 where answer.errorID == "upload.complete":
            isLost = true
            throw UploadFailure.outOfStep
        case 404 where answer.errorID == "upload.unknown" && beginAnew():
            throw UploadFailure.lost
        // Nothing is lost yet by giving up: a job fails soon and says why, instead of waiting until
        // an admin frees disk space.
        case 507 where upload == nil && answer.isOurs: return answer.last
        case _ where answer.isPassing:
            throw UploadFailure.unable(answer.last, retryAfter: answer.retryAfter)
        default:
            guard answer.isOurs else { throw UploadFailure.notOurs(status: answer.status) }
            return answer.last
        }
    }
}
