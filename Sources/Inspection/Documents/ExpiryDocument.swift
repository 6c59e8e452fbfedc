package import Essentials

/// An ``Expiry`` as JSON for scripts.
package struct ExpiryDocument: Codable, Equatable, Sendable {
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

    /// The ``Expiry`` that this document describes, at `date`.
    package func expiry(on date: Date) -> Expiry {
        let cause: Expiry.Cause =
            cause == "profile" ? .profile(name: name) : .certificate(name: name)
        return Expiry(date: date, cause: cause, place: place)
    }
}
