/// What ends a build's life, as JSON for scripts.
package struct ExpiryDocument: Encodable, Sendable {
    /// `profile` or `certificate`.
    private let cause: String
    private let name: String
    private let place: String

    package init(_ expiry: Expiry) {
        switch expiry.cause {
        case .profile(let name):
            cause = "profile"
            self.name = name
        case .certificate(let name):
            cause = "certificate"
            self.name = name
        }
        place = expiry.place
    }
}
