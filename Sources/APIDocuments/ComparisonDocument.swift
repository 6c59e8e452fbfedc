package import Inspection

/// What changed between two builds of an app.
package struct ComparisonDocument: Codable, Equatable, Sendable {
    /// One thing that has changed.
    package struct Change: Codable, Equatable, Sendable {
        /// What it is, such as `Archive` or `Entitlement aps-environment`.
        package let label: String
        /// What it was; nil for something new.
        @OrNull package var before: String?
        /// What it is now; nil for something that is gone.
        @OrNull package var now: String?
        /// How much more or less it is, as in `+3.1 MB`; nil for what has no size.
        @OrNull package var change: String?

        package init(_ label: String, _ before: String?, _ now: String?, change: String? = nil) {
            self.label = label
            self.before = before
            self.now = now
            self.change = change
        }
    }

    package var schema = 1
    package let app: String
    package let release: String
    /// The build that it was compared with; nil where there is none.
    @OrNull package var with: String?
    package let changes: [Change]

    package init(app: String, release: String, with other: String?, changes: [Change]) {
        self.app = app
        self.release = release
        with = other
        self.changes = changes
    }
}
