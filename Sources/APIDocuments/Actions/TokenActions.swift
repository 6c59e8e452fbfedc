import Access

/// The tokens that are in use, or all that were ever made.
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

/// Creates a token; only this answer contains its secret.
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

/// Revokes a token, named by its name or its identifier.
package struct RevokeToken: Action {
    package typealias Answer = TokenDocument
    package static let route = ActionRoute(.delete, "/tokens/{token}", .everywhere(.admin))

    package let token: String

    package init(_ token: String) {
        self.token = token
    }
}

/// Replaces a token, named by its name or its identifier, by one of the same name, scopes and lifetime;
/// only this answer contains the new secret, and the old one stops working.
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
