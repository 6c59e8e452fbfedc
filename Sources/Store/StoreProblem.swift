/// Damage of a store, or something missing in it.
package struct StoreProblem: Codable, Sendable, Equatable {
    /// Stable across releases of `ota`, such as `store.damaged-blob`.
    package let id: String
    /// The document, journal line or blob.
    package let place: String
    package let message: String
    package let fix: String

    package init(id: String, place: String, message: String, fix: String) {
        self.id = id
        self.place = place
        self.message = message
        self.fix = fix
    }

    static let missingRelease = "store.missing-release"

    package init(_ failure: StoreFailure) {
        id = failure.id
        place = failure.place
        message = failure.description
        fix = failure.fix
    }
}
