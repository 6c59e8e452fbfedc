import APIDocuments
import Access
import Administration
import Releases

/// A button on the row of a token that is in use, which has to be confirmed: the page shows it, and posts
/// it to `/tokens/{token}/verb`.
///
/// The token that the admin is signed in with has none of them: its session would end meanwhile.
struct TokenButton: Sendable {
    let verb: String
    let title: String
    /// What the admin has to confirm.
    let confirmation: String
    var isBad = false
    /// Performs the action on a token, named by its identifier.
    ///
    /// - Returns: the page that follows, and its message.
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
