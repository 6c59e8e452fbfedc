package import Essentials
package import Identifiers
package import Releases

extension OTAStore {
    /// The feedback of an app's testers; with `isCurrent`, the backend is asked even if it was asked a
    /// moment ago.
    package func feedback(
        of app: BundleIdentifier,
        isCurrent: Bool = false,
    ) throws(StoreFailure) -> FeedbackRecord {
        try value(FeedbackRecord.self, .feedback(app), isCurrent: isCurrent) ?? FeedbackRecord()
    }

    /// Stores a tester's feedback, and records activity that refers to it without repeating its text.
    ///
    /// - Parameters:
    ///   - feedback: the feedback.
    ///   - app: its app.
    /// - Returns: false if the device has sent too much within an hour; then nothing has changed.
    /// - Throws: ``StoreFailure``.
    package func add(_ feedback: Feedback, of app: BundleIdentifier) throws -> Bool {
        var isFull = false
        let activity = Activity(
            date: feedback.date,
            actor: feedback.sender.name ?? "a tester",
            event: .feedbackReceived,
            app: app.rawValue,
            subject: feedback.release.rawValue,
            detail: feedback.identifier,
        )
        _ = try change(.feedback(app), else: FeedbackRecord()) { record in
            isFull = feedback.device.map { record.isFull(for: $0, at: feedback.date) } ?? false
            if !isFull { record.add(feedback) }
        } recording: {
            [activity]
        }
        return !isFull
    }

    /// Deletes feedback permanently.
    ///
    /// - Parameters:
    ///   - identifier: the feedback.
    ///   - app: its app.
    ///   - actor: who deletes it.
    ///   - date: the current time.
    /// - Returns: the deleted feedback; nil if there is none with this identifier.
    /// - Throws: ``StoreFailure``.
    package func deleteFeedback(
        _ identifier: String,
        of app: BundleIdentifier,
        by actor: String,
        at date: Date,
    ) throws -> Feedback? {
        var deleted: Feedback?
        let name = try DocumentName.feedback(app)
        _ = try change(name, else: FeedbackRecord()) {
            deleted = $0.delete(identifier)
        } recording: {
            deleted.map { deleted in
                [
                    Activity(
                        date: date,
                        actor: actor,
                        event: .feedbackDeleted,
                        app: app.rawValue,
                        subject: "the feedback of \(Wording.day(deleted.date))",
                    )
                ]
            } ?? []
        }
        // The previous generation still has the text.
        if deleted != nil { try backend.forgetPrevious(of: name) }
        return deleted
    }

    /// Erases a device's reference from all feedback; the feedback itself stays, without a device.
    ///
    /// `device` is the reference, 24 hexadecimal digits.
    package func eraseFromFeedback(_ device: String) throws {
        for file in try names(in: .feedback) where file.hasSuffix(".json") {
            let name = try DocumentName.feedback.appending(file)
            let change = try change(name, else: FeedbackRecord()) { $0.forget(device) }
            if change.isChanged { try backend.forgetPrevious(of: name) }
        }
    }

    /// The feedback documents that cannot be read.
    package func feedbackProblems() -> [StoreProblem] {
        var problems: [StoreProblem] = []
        let found = problem { () throws(StoreFailure) in
            for file in try names(in: .feedback) where file.hasSuffix(".json") {
                let name = try DocumentName.feedback.appending(file)
                let read = problem { () throws(StoreFailure) in
                    _ = try value(FeedbackRecord.self, name)
                }
                if let read { problems.append(read) }
            }
        }
        return problems + [found].compactMap(\.self)
    }
}

extension DocumentName {
    fileprivate static let feedback = DocumentName(known: "feedback")

    fileprivate static func feedback(
        _ app: BundleIdentifier
    ) throws(StoreFailure) -> DocumentName {
        try feedback.appending(app.rawValue + ".json")
    }
}
