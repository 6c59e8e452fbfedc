/// The result of a check of a team's developer account, or of what would be changed there.
package struct AccountPage: AdminPage {
    package let admin: AdminChrome
    let title: String
    let summary: String
    let lines: [Line]
    let remark: String?
    let button: ActionButton?
    let backURL: String

    /// - Parameters:
    ///   - title: the heading.
    ///   - summary: the result, a sentence.
    ///   - lines: what was found, or would be changed.
    ///   - remark: the consequence of the button, a sentence.
    ///   - button: makes the changes; nil if there are none.
    ///   - backURL: the previous page.
    ///   - admin: the page's header and navigation.
    package init(
        _ title: String,
        summary: String,
        lines: [Line],
        remark: String? = nil,
        button: ActionButton? = nil,
        backURL: String,
        admin: AdminChrome,
    ) {
        self.admin = admin
        self.title = title
        self.summary = summary
        self.lines = lines
        self.remark = remark
        self.button = button
        self.backURL = backURL
    }

    /// One result of the check.
    package struct Line: Sendable {
        let text: String
        let fix: String?
        let tone: String

        /// - Parameters:
        ///   - text: a sentence.
        ///   - fix: what to do about it, a sentence; nil if nothing has to be done.
        ///   - tone: `good`, `warn`, `bad` or `accent`.
        package init(_ text: String, fix: String? = nil, tone: String) {
            self.text = text
            self.fix = fix
            self.tone = tone
        }
    }
}
