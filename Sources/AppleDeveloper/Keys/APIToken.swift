package import Cryptography
package import Essentials

/// What proves one key to the App Store Connect API for a few minutes: a JSON Web Token (RFC 7519),
/// signed with ES256 (RFC 7518 section 3.4).
package struct APIToken: Sendable {
    /// Seconds between the two dates; Apple takes at most 20 minutes.
    static let lifetime: TimeInterval = 15 * 60
    /// Seconds by which the token says to be older than it is, so that a clock that is a little fast
    /// does not make it one of the future.
    static let backdating: TimeInterval = 30
    /// Seconds before its end in which no request is begun with it.
    private static let margin: TimeInterval = 60

    /// Whole seconds.
    package let issued: Date
    package let expires: Date
    /// What follows `Bearer`.
    let text: String

    /// - Throws: ``MalformedKey`` when the key cannot sign.
    package init(for key: TeamAPIKey, at date: Date) throws(MalformedKey) {
        let now = date.timeIntervalSince1970.rounded(.down)
        issued = Date(timeIntervalSince1970: now - Self.backdating)
        expires = issued.addingTimeInterval(Self.lifetime)
        let signed =
            Self.part(TokenHeader(kid: key.identifier)) + "."
            + Self.part(TokenClaims(iss: key.issuer, issued: issued, expires: expires))
        let signature = try key.key.sign(Array(signed.utf8))
        guard let raw = RawSignature(der: signature) else {
            throw .cannotSign(reason: "the signature is not one of P-256")
        }
        text = signed + "." + Base64URL.text(raw.bytes)
    }

    /// Whether a request may be begun with it.
    func isFresh(at date: Date) -> Bool {
        issued <= date && date < expires.addingTimeInterval(-Self.margin)
    }

    /// Whether a clock that shows `date` finds it valid.
    func isValid(by date: Date) -> Bool { issued <= date && date <= expires }

    private static func part(_ value: some Encodable) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Strings and numbers always have a JSON form.
        return Base64URL.text([UInt8]((try? encoder.encode(value)) ?? Data()))
    }
}

/// It opens the team's account for minutes, so no description has its text.
extension APIToken: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "API token" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: []) }
}

/// The header that Apple asks for ("Generating Tokens for API Requests").
private struct TokenHeader: Encodable {
    let alg = "ES256"
    let kid: String
    let typ = "JWT"
}

/// The claims that Apple asks for.
private struct TokenClaims: Encodable {
    let iss: String
    let iat: Int
    let exp: Int
    let aud = "appstoreconnect-v1"

    init(iss: String, issued: Date, expires: Date) {
        self.iss = iss
        iat = Int(issued.timeIntervalSince1970)
        exp = Int(expires.timeIntervalSince1970)
    }
}
