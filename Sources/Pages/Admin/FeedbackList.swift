import Bytes
package import Releases

/// What testers said of an app, the newest first, for its admins.
package struct FeedbackList: Sendable {
    let total: String
    let allURL: String
    /// Said where there is nothing.
    let none: String?
    /// How many went because there were too many; nil for none.
    let dropped: String?
    let rows: [Row]

    /// - Parameters:
    ///   - record: what testers said.
    ///   - count: how many are shown at most.
    ///   - links: of the app.
    ///   - code: what each form carries.
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

/// All that testers said of an app.
package struct FeedbackListPage: AdminPage {
    package let admin: AdminChrome
    let title: String
    let appURL: String
    let exportURL: String
    let feedback: FeedbackList

    /// - Parameters:
    ///   - app: whose.
    ///   - feedback: all of it.
    ///   - links: the addresses.
    ///   - admin: what surrounds the page.
    package init(of app: AppRecord, feedback: FeedbackList, links: AdminLinks, admin: AdminChrome) {
        self.admin = admin
        title = app.title
        appURL = links.app(app.slug)
        exportURL = links.exportedFeedback(of: app.slug)
        self.feedback = feedback
    }
}
