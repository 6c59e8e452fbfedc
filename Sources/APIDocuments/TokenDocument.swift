package import Access
package import Foundation
import Releases

/// A token in the API and in `--json`, without its secret.
package struct TokenEntry: Codable, Equatable, Sendable {
    package let identifier: String
    package let name: String
    package let scopes: [Scope]
    package let created: Date
    package let expires: Date?
    package let revoked: Date?

    package init(_ token: AccessToken) {
        identifier = token.identifier
        name = token.name
        scopes = token.scopes
        created = token.created
        expires = token.expires
        revoked = token.revoked
    }
}

/// `{"schema": 1, "token": {…}}`.
package struct TokenDocument: Codable, Equatable, Sendable {
    package var schema = 1
    package let token: TokenEntry

    package init(token: TokenEntry) {
        self.token = token
    }
}

/// `{"schema": 1, "tokens": […]}`.
package struct TokensDocument: Codable, Equatable, Sendable {
    package var schema = 1
    package let tokens: [TokenEntry]

    package init(tokens: [TokenEntry]) {
        self.tokens = tokens
    }
}

/// A new token with its secret, or the path of the file to which the secret was written.
package struct CreatedTokenDocument: Codable, Equatable, Sendable {
    package var schema = 1
    package let token: TokenEntry
    package var secret: String?
    package var file: String?

    package init(token: TokenEntry, secret: String?, file: String? = nil) {
        self.token = token
        self.secret = secret
        self.file = file
    }
}
