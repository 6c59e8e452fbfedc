import Uploads

extension UploadSession {
    /// Whether a publish began and did not end, because the server ended first.
    var wasInterrupted: Bool { record.attempts ?? 0 > 0 }

    /// Notes that a publish begins, before any of its work; what comes to an end takes the note back.
    ///
    /// - Throws: `UploadRefusal.unpublishable` for a build that the server has ended with too often,
    ///   although it does no harm to a process of its own.
    func attempt() throws {
        let before = record.attempts ?? 0
        guard before < UploadRecord.mostAttempts else { throw setAside }
        try change { $0.attempts = before + 1 }
    }

    /// The answer to a build that ends the process which publishes it.
    var setAside: UploadRefusal { .unpublishable(attempts: record.attempts ?? 0) }
}
