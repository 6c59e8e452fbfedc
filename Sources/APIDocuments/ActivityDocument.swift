package import Releases

/// Activity, and the cursor for requesting newer activity.
package struct ActivityDocument: Codable, Equatable, Sendable {
    package var schema = 1
    package let activity: [Activity]
    package let cursor: String
    /// The position for requesting older activity; absent if there is none.
    package let older: String?
    /// The skipped lines of the journals that cannot be read; absent if there are none.
    package let unreadable: [ErrorDocument.Failure]?

    package init(
        activity: [Activity],
        cursor: String,
        older: String?,
        unreadable: [ErrorDocument.Failure]?,
    ) {
        self.activity = activity
        self.cursor = cursor
        self.older = older
        self.unreadable = unreadable
    }
}
