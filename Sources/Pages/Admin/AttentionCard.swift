/// One cause that needs an admin's attention, the items that it concerns, and what to do about them.
package struct AttentionCard: Sendable {
    /// The most rows of a card on the overview.
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
    ///   - buttons: actions for all of it.
    ///   - rows: the items; none if the title names the only one.
    ///   - total: the number of items; if it is greater than that of the rows, the card says so.
    ///   - restURL: the list of all items.
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
        /// The subject, which makes the label for screen readers unique.
        let about: String
        let url: String
        /// Whether it downloads a file.
        let isDownload: Bool

        package init(_ title: String, about: String, url: String, isDownload: Bool = false) {
            self.title = title
            self.about = about
            self.url = url
            self.isDownload = isDownload
        }
    }

    /// One item, with a link to the page on which it is resolved.
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
