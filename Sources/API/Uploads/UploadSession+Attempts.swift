import Uploads

extension UploadSession {
    /// Whether a publish was interrupted by the end of the server.
    var wasInterrupted: Bool { record.attempts ?? 0 > 0 }

    /// Records the start of a publish before any of its work; its end removes the record.
    ///
    /// - Throws: `UploadRefusal.unpublishable` for a build during which the server has ended too often,
    ///   although it does no harm in a separate process.
    func attempt() throws {
        let before = record.attempts ?? 0
        guard before < UploadRecord.mostAttempts else { throw setAside }
        try change { $0.attempts = before + 1 }
    }

    /// The refusal of a build that crashes the process which publishes it.
    var setAside: UploadRefusal { .unpublishable(attempts: record.attempts ?? 0) }
}
