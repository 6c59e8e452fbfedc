/// The differences between a build and an earlier one of its app.
package struct BuildComparison: Sendable {
    /// The earlier build, as in `2.3.0 (300)`.
    let other: String
    let otherURL: String
    let rows: [Row]
    let isAlike: Bool

    /// One difference.
    package struct Row: Sendable {
        let label: String
        let before: String
        let now: String
        /// The change in size; nil for properties without a size.
        let change: String?

        package init(_ label: String, _ before: String?, _ now: String?, change: String?) {
            self.label = label
            self.before = before ?? "–"
            self.now = now ?? "–"
            self.change = change
        }
    }

    /// - Parameters:
    ///   - other: the earlier build, as in `2.3.0 (300)`.
    ///   - url: the path of its page.
    ///   - rows: the differences.
    package init(with other: String, at url: String, rows: [Row]) {
        self.other = other
        otherURL = url
        self.rows = rows
        isAlike = rows.isEmpty
    }
}
