/// Why something was not done: `{"error": {…}}`, on standard error and from the API.
package struct ErrorDocument: Codable, Equatable, Sendable {
    package struct Failure: Codable, Equatable, Sendable {
        /// Stable across releases, such as `store.unreadable`.
        package let id: String
        package let message: String
        /// What it is about; empty where there is nothing to name.
        package let place: String
        /// What somebody can do about it; may be empty.
        package let fix: String

        package init(id: String, message: String, place: String = "", fix: String = "") {
            self.id = id
            self.message = message
            self.place = place
            self.fix = fix
        }
    }

    package let error: Failure

    package init(_ failure: Failure) {
        error = failure
    }
}
