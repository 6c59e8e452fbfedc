package import Releases

/// What happened, with the place in the journal from which to ask on.
package struct ActivityDocument: Codable, Equatable, Sendable {
    package var schema = 1
    package let activity: [Activity]
    package let cursor: String

    package init(activity: [Activity], cursor: String) {
        self.activity = activity
        self.cursor = cursor
    }
}
