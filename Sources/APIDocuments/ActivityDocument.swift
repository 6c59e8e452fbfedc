package import Releases

/// What happened, with the place in the journal from which to ask on.
package struct ActivityDocument: Codable, Equatable, Sendable {
    package var schema = 1
    package let activity: [Activity]
    package let cursor: String
    /// From where to ask for older activity; absent where there is none.
    package let older: String?
    /// Lines of the journals that cannot be read and were passed over; absent where there are none.
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
