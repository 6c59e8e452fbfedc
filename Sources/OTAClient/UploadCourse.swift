import Uploads

/// The client's view of an upload's state.
struct UploadCourse {
    var upload: UploadIdentifier?
    var offset = 0
    var pieces = UploadPieces()
    /// The number of failures since the last progress.
    var failures = 0
    /// How often the server has returned to waiting for bytes after it had received all of them.
    ///
    /// Receiving the upload and beginning to publish it do not count as progress here: a server whose
    /// publishing fails does both every time.
    var failedPublishes = 0
    /// Whether the server must be asked for its state before anything is sent.
    var isLost = false
    private var beginnings = 0

    /// More than the servers that a rolling restart replaces one after the other.
    private static let mostBeginnings = 8

    /// Records how many bytes the server has.
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

    /// Starts over with the offer, for an upload that the server has dropped.
    ///
    /// - Returns: false if that has happened too often.
    mutating func beginAnew() -> Bool {
        guard upload != nil, beginnings < Self.mostBeginnings else { return false }
        beginnings += 1
        upload = nil
        offset = 0
        isLost = false
        return true
    }

    /// Interprets a response that is not one of the expected ones.
    ///
    /// - Returns: the response, if it is final.
    /// - Throws: ``UploadFailure`` if another attempt may succeed.
    mutating func judge(_ answer: UploadResponse) throws -> UploadAnswer {
        switch answer.status {
        case 409 where ["upload.wrong-offset", "upload.taken-over"].contains(answer.errorID),
            400 where ["upload.cut", "upload.wrong-length"].contains(answer.errorID),
            400 where answer.errorID == "upload.complete":
            isLost = true
            throw UploadFailure.outOfStep
        case 404 where answer.errorID == "upload.unknown" && beginAnew():
            throw UploadFailure.lost
        // Giving up loses nothing yet: a CI job fails soon and says why, instead of waiting until an admin
        // frees disk space.
        case 507 where upload == nil && answer.isOurs: return answer.last
        case _ where answer.isPassing:
            throw UploadFailure.unable(answer.last, retryAfter: answer.retryAfter)
        default:
            guard answer.isOurs else { throw UploadFailure.notOurs(status: answer.status) }
            return answer.last
        }
    }
}
