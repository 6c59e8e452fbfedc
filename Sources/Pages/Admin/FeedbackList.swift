import Bytes
package import Releases

/// Testers' feedback on an app, newest first, for its admins.
package struct FeedbackList: Sendable {
    let total: String
    let allURL: String
    /// The text if there is none.
    let none: String?
    /// How many entries were deleted because there were too many; nil for none.
    let dropped: String?
    let rows: [Row]

    /// - Parameters:
    ///   - record: the app's feedback.
    ///   - count: the most entries that are shown.
    ///   - links: builds paths of the app's admin pages.
    ///   - code: the value of each form's `form` field.
    package init(_ record: FeedbackRecord, atMost count: Int, links: AdminAppLinks, code: String) {
        total = Wording.count(record.entries.count, "message")
        allURL = links.feedback
        none = record.entries.isEmpty ? "No one has sent feedback yet." : nil
        dropped =
            record.dropped == 0
            ? nil
            : "Deleted the oldest \(Wording.count(record.dropped, "message")) to make room; "
                + "the last \(FeedbackRecord.mostEntries.grouped) are kept."
        rows = record.entries.suffix(count).reversed().map { Row($0, links, code) }
    }

    struct Row: Sendable {
        let when: String
        let release: String
        let releaseURL: String
        let person: String?
        let sender: String?
        let lines: [String]
        let deleteURL: String
        let code: String

        init(_ feedback: Feedback, _ links: AdminAppLinks, _ code: String) {
            when = Wording.moment(feedback.date)
            release = feedback.release.words
            releaseURL = links.release(feedback.release).page
            person = feedback.sender.person.map { "From \($0)" }
            sender = feedback.sender.words
            lines = feedback.text.split(separator: "\n").map { String($0) }
            deleteURL = links.deleteFeedback(feedback.identifier)
            self.code = code
        }
    }
}

/// All feedback on an app.
package struct FeedbackListPage: AdminPage {
    package let admin: AdminChrome
    let title: String
    let appURL: String
    let exportURL: String
    let feedback: FeedbackList

    /// - Parameters:
    ///   - app: the app.
    ///   - feedback: its feedback.
    ///   - links: builds paths of admin pages.
    ///   - admin: the page's header and navigation.
    package init(of app: AppRecord, feedback: FeedbackList, links: AdminLinks, admin: AdminChrome) {
        self.admin = admin
        title = app.title
        appURL = links.app(app.slug)
        exportURL = links.exportedFeedback(of: app.slug)
        self.feedback = feedback
    }
}
