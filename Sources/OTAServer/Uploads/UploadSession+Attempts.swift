import Uploads

extension UploadSession {
    /// Notes that a publish begins; what comes to an end takes the note back.
    ///
    /// - Throws: `UploadRefusal.unpublishable` for a build that the server has died of too often: it
    ///   would at every start.
    func attempt() throws {
        let before = record.attempts ?? 0
        guard before < UploadRecord.mostAttempts else {
            throw UploadRefusal.unpublishable(attempts: before)
        }
        try change { $0.attempts = before + 1 }
    }
}
