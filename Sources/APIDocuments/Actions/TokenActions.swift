import Access

/// Lists the tokens in use, or all tokens ever created.
package struct ListTokens: Action {
    package typealias Answer = TokensDocument
    package static let route = ActionRoute(
        .get,
        "/tokens",
        .everywhere(.admin),
        query: [.flag("all")],
    )

    package let all: Bool

    package init(all: Bool) {
        self.all = all
    }
}

/// Creates a token; only the response contains its secret.
package struct CreateToken: Action {
    package typealias Answer = CreatedTokenDocument
    package static let route = ActionRoute(
        .post,
        "/tokens",
        .everywhere(.admin),
        success: .created,
    )

    package let content: NewToken

    package init(_ token: NewToken) {
        content = token
    }
}

/// Revokes a token, given by its name or identifier.
package struct RevokeToken: Action {
    package typealias Answer = TokenDocument
    package static let route = ActionRoute(.delete, "/tokens/{token}", .everywhere(.admin))

    package let token: String

    package init(_ token: String) {
        self.token = token
    }
}

/// Replaces a token, given by its name or identifier, with one that has the same name, scopes and lifetime.
///
/// Only the response contains the new secret; the old one becomes invalid.
package struct RotateToken: Action {
    package typealias Answer = CreatedTokenDocument
    package static let route = ActionRoute(
        .post,
        "/tokens/{token}/rotate",
        .everywhere(.admin),
        success: .created,
    )

    package let token: String

    package init(_ token: String) {
        self.token = token
    }
}

extension NewToken: ActionContent {
    package static var keys: Set<String> { ["name", "scopes", "expires"] }
}
