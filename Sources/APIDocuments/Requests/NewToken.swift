package import Foundation

/// The request to create a token.
package struct NewToken: Codable, Sendable, Equatable {
    package let name: String
    /// Scopes such as `publish:browsey`; apps by bundle identifier or slug.
    package let scopes: [String]
    /// Nil for a token that is valid until it is revoked.
    package var expires: Date?

    package init(name: String, scopes: [String], expires: Date? = nil) {
        self.name = name
        self.scopes = scopes
        self.expires = expires
    }
}
