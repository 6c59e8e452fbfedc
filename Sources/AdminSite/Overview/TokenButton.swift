import APIDocuments
import Access
import Administration
import Releases

/// A button in the row of a valid token, which posts to `/tokens/{token}/verb` after a confirmation.
///
/// The token that the admin is signed in with has none, because it would end the admin's own session.
struct TokenButton: Sendable {
    let verb: String
    let title: String
    /// The text that the admin has to confirm.
    let confirmation: String
    var isBad = false
    /// Performs the action on the token with an identifier.
    ///
    /// - Returns: the next page, and its message.
    let press: @Sendable (AdminRequest, String) throws -> AdminOutcome

    static let all: [TokenButton] = [
        TokenButton(
            verb: "rotate",
            title: "Rotate",
            confirmation: "You get a new secret with the same permissions; the old one stops "
                + "working at once.",
        ) { visit, identifier in
            AdminTokens.handOver(try visit.perform(RotateToken(identifier)), visit)
        },
        TokenButton(
            verb: "revoke",
            title: "Revoke",
            confirmation: "It stops working at once.",
            isBad: true,
        ) { visit, identifier in
            let token = try visit.perform(RevokeToken(identifier)).token
            return .done("Token \(token.name) revoked.", goingTo: visit.links.tokens)
        },
    ]
}
