package import Access
import Bytes
import Cryptography
package import Essentials

/// The requirements for an ID token (OpenID Connect Core 3.1.3.7).
struct IdentityExpectation: Sendable {
    /// The tolerated difference between clocks in seconds.
    static let skew: TimeInterval = 60
    /// The maximum age of a token when it is used, in seconds.
    static let age: TimeInterval = 600

    let issuer: IssuerURL
    let clientID: String
    /// Nil for a token that confirms a session, which has no nonce.
    let nonce: String?
    /// The access token from the same response; nil without one.
    let accessToken: String?
    let now: Date

    /// - Returns: the subject.
    /// - Throws: ``SignInRefusal`` for the first requirement that is not met.
    func check(
        _ fields: TokenFields,
        of token: WebToken,
    ) throws(SignInRefusal) -> String {
        guard token.type == nil || token.type == "jwt" else {
            throw SignInRefusal(.badToken, "typ")
        }
        try checkParties(fields)
        try checkTimes(fields)
        if let nonce {
            guard let shown = fields.text("nonce"),
                constantTimeEqual(Array(shown.utf8), Array(nonce.utf8))
            else { throw SignInRefusal(.wrongNonce) }
        }
        if fields.has("at_hash") {
            try check(accessHash: fields.text("at_hash"), by: token.algorithm)
        }
        guard !fields.has("events"), let subject = fields.text("sub"), !subject.isEmpty,
            subject.utf8.count <= 255
        else { throw SignInRefusal(.badToken, "sub") }
        return subject
    }

    func checkParties(_ fields: TokenFields) throws(SignInRefusal) {
        guard let named = fields.text("iss"), named.isBytes(of: issuer.text) else {
            throw SignInRefusal(.wrongIssuer, shown(fields.text("iss")))
        }
        guard let audiences = fields.oneOrMore("aud"),
            audiences.contains(where: { $0.isBytes(of: clientID) })
        else { throw SignInRefusal(.wrongAudience, shown(fields.oneOrMore("aud")?.first)) }
        if fields.has("azp") || audiences.count > 1 {
            guard let party = fields.text("azp"), party.isBytes(of: clientID) else {
                throw SignInRefusal(.wrongParty, shown(fields.text("azp")))
            }
        }
    }

    private func checkTimes(_ fields: TokenFields) throws(SignInRefusal) {
        guard let end = fields.date("exp"), let issued = fields.date("iat") else {
            throw SignInRefusal(.badToken, "exp or iat")
        }
        guard now < end.addingTimeInterval(Self.skew) else {
            throw SignInRefusal(.expired, "\(Int(now.timeIntervalSince(end))) seconds ago")
        }
        let starts = [issued, fields.date("nbf")].compactMap(\.self)
        guard starts.allSatisfy({ $0 <= now.addingTimeInterval(Self.skew) }) else {
            throw SignInRefusal(.notYetValid)
        }
        guard !fields.has("nbf") || fields.date("nbf") != nil else {
            throw SignInRefusal(.badToken, "nbf")
        }
        guard now.timeIntervalSince(issued) <= Self.age + Self.skew else {
            throw SignInRefusal(.stale, "\(Int(now.timeIntervalSince(issued))) seconds old")
        }
    }

    private func check(
        accessHash: String?,
        by algorithm: WebAlgorithm,
    ) throws(SignInRefusal) {
        guard let accessToken else { return }
        let digest = algorithm.digest(of: Array(accessToken.utf8))
        guard let shown = accessHash.flatMap({ Base64URL.bytes($0) }),
            constantTimeEqual(shown, Array(digest.prefix(digest.count / 2)))
        else { throw SignInRefusal(.wrongAccessToken) }
    }

    private func shown(_ text: String?) -> String {
        text.map { PrintableText(escaping: $0, limit: 100).text } ?? "none"
    }
}

/// A verified identity, from one response of the provider.
package struct ProvenIdentity: Sendable {
    package let person: Person
    /// The session ID at the provider; nil when there is none.
    package let providerSession: String?
    package let identityToken: String
    /// The token for confirming the identity later; nil when the provider gives none, or does not
    /// describe the person to its holder.
    package let refreshToken: String?
}

/// A provider's logout token (OpenID Connect Back-Channel Logout 1.0 section 2.4).
package struct LogoutNotice: Equatable, Sendable {
    /// The person whose sessions end; may be nil when ``providerSession`` identifies the session.
    package let subject: String?
    package let providerSession: String?
    /// The unique identifier of the notice.
    package let identifier: String
    /// When it becomes invalid.
    package let end: Date

    private static let event = "http://schemas.openid.net/event/backchannel-logout"

    /// - Throws: ``SignInRefusal`` for a token that is not a logout token of `expected`'s issuer for its
    ///   client.
    init(
        _ fields: TokenFields,
        of token: WebToken,
        as expected: IdentityExpectation,
    ) throws(SignInRefusal) {
        guard token.type.map({ ["jwt", "logout+jwt"].contains($0) }) ?? true else {
            throw SignInRefusal(.badLogout, "typ")
        }
        try expected.checkParties(fields)
        let (now, skew) = (expected.now, IdentityExpectation.skew)
        guard let issued = fields.date("iat"), issued <= now.addingTimeInterval(skew) else {
            throw SignInRefusal(.notYetValid)
        }
        guard now.timeIntervalSince(issued) <= IdentityExpectation.age + skew else {
            throw SignInRefusal(.stale)
        }
        if fields.has("exp") {
            guard let end = fields.date("exp"), now < end.addingTimeInterval(skew) else {
                throw SignInRefusal(.expired)
            }
        }
        guard !fields.has("nonce") else { throw SignInRefusal(.badLogout, "nonce") }
        guard case .object(let events) = fields["events"], case .object? = events[Self.event] else {
            throw SignInRefusal(.badLogout, "events")
        }
        guard let identifier = fields.text("jti"), !identifier.isEmpty,
            identifier.utf8.count <= 256
        else { throw SignInRefusal(.badLogout, "jti") }
        subject = fields.text("sub")
        providerSession = fields.text("sid")
        guard subject != nil || providerSession != nil else {
            throw SignInRefusal(.badLogout, "sub and sid")
        }
        self.identifier = identifier
        end = now.addingTimeInterval(2 * (IdentityExpectation.age + skew))
    }
}
