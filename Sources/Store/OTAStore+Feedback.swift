package import Essentials
package import Identifiers
package import Releases

extension OTAStore {
    /// What testers said of an app; with `isCurrent`, the back end is asked even if it was a moment ago.
    package func feedback(
        of app: BundleIdentifier,
        isCurrent: Bool = false,
    ) throws(StoreFailure) -> FeedbackRecord {
        try value(FeedbackRecord.self, .feedback(app), isCurrent: isCurrent) ?? FeedbackRecord()
    }

    /// Keeps what a tester said, with an entry of the activity that names it and does not repeat it.
    ///
    /// - Parameters:
    ///   - feedback: what was said.
    ///   - app: of which app.
    /// - Returns: false where the device has sent too many within an hour; nothing has changed then.
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

    /// Deletes what a tester said, for good.
    ///
    /// - Parameters:
    ///   - identifier: of the feedback.
    ///   - app: of which app.
    ///   - actor: who deletes it.
    ///   - date: now.
    /// - Returns: what was deleted; nil where there is none of that name.
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
        // The generation before has the text still.
        if deleted != nil { try backend.forgetPrevious(of: name) }
        return deleted
    }

    /// Erases the name of a device from what testers said; what was said stays, without a device.
    ///
    /// `device` is its reference, 24 hexadecimal digits.
    package func eraseFromFeedback(_ device: String) throws {
        for file in try names(in: .feedback) where file.hasSuffix(".json") {
            let name = try DocumentName.feedback.appending(file)
            let change = try change(name, else: FeedbackRecord()) { $0.forget(device) }
            if change.isChanged { try backend.forgetPrevious(of: name) }
        }
    }

    /// What of the documents of feedback cannot be read.
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
