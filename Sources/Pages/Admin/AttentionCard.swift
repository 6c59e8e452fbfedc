/// What of one kind needs an admin's attention: one cause, what it concerns, and what to do about it.
package struct AttentionCard: Sendable {
    /// Rows that a card on the overview has.
    package static let mostRows = 5

    let tone: String
    let title: String
    let detail: String?
    let buttons: [Button]
    let hasRows: Bool
    let rows: [Row]
    let rest: Button?

    /// - Parameters:
    ///   - tone: `accent`, `warn` or `bad`.
    ///   - title: one clause.
    ///   - detail: whole sentences; may be empty.
    ///   - buttons: what can be done about all of it.
    ///   - rows: the things that it concerns; none where the title names the only one.
    ///   - total: how many rows there are; where those are more, the card says so.
    ///   - restURL: where all of them are listed.
    package init(
        tone: String,
        title: String,
        detail: String,
        buttons: [Button],
        rows: [Row] = [],
        total: Int? = nil,
        restURL: String? = nil,
    ) {
        self.tone = tone
        self.title = title
        self.detail = detail.isEmpty ? nil : detail
        self.buttons = buttons
        hasRows = !rows.isEmpty
        self.rows = rows
        let more = (total ?? rows.count) - rows.count
        rest =
            more > 0
            ? restURL.map { Button("Show all \(total ?? 0)", about: title, url: $0) } : nil
    }

    /// A link that looks like a button.
    package struct Button: Sendable {
        let title: String
        /// What it is about, for who hears the page: two buttons never sound the same.
        let about: String
        let url: String
        /// Whether it leads to a file.
        let isDownload: Bool

        package init(_ title: String, about: String, url: String, isDownload: Bool = false) {
            self.title = title
            self.about = about
            self.url = url
            self.isDownload = isDownload
        }
    }

    /// One thing, and the page on which it is resolved.
    package struct Row: Sendable {
        let tone: String
        let title: String
        let detail: String
        let button: Button

        package init(tone: String, title: String, detail: String, button: Button) {
            self.tone = tone
            self.title = title
            self.detail = detail
            self.button = button
        }
    }
}
