package import Inspection

/// The differences between two builds of an app.
package struct ComparisonDocument: Codable, Equatable, Sendable {
    /// One difference.
    package struct Change: Codable, Equatable, Sendable {
        /// The name of the property, such as `Archive` or `Entitlement aps-environment`.
        package let label: String
        /// The value before; nil if it is new.
        @OrNull package var before: String?
        /// The value now; nil if it was removed.
        @OrNull package var now: String?
        /// The difference in size, such as `+3.1 MB`; nil if it has no size.
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
    /// The build it is compared with; nil if there is none.
    @OrNull package var with: String?
    package let changes: [Change]

    package init(app: String, release: String, with other: String?, changes: [Change]) {
        self.app = app
        self.release = release
        with = other
        self.changes = changes
    }
}
