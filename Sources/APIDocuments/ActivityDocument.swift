package import Releases

/// What happened, with the place in the journal from which to ask on.
package struct ActivityDocument: Codable, Equatable, Sendable {
    package var schema = 1
    package let activity: [Activity]
    package let cursor: String
    /// Lines of the journals that cannot be read and were passed over; absent where there are none.
    package let unreadable: [ErrorDocument.Failure]?

    package init(activity: [Activity], cursor: String, unreadable: [ErrorDocument.Failure]?) {
        self.activity = activity
        self.cursor = cursor
        self.unreadable = unreadable
    }
}
