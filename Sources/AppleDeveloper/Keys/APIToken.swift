package import Cryptography
package import Essentials

/// The credential for the App Store Connect API, valid for a few minutes: a JSON Web Token (RFC 7519),
/// signed with ES256 (RFC 7518 section 3.4).
package struct APIToken: Sendable {
    /// The validity in seconds; Apple allows at most 20 minutes.
    static let lifetime: TimeInterval = 15 * 60
    /// The seconds by which the token is backdated, so that a slightly fast clock does not make it valid
    /// only in the future.
    static let backdating: TimeInterval = 30
    /// The seconds before its expiry from which no request uses it.
    private static let margin: TimeInterval = 60

    /// In whole seconds.
    package let issued: Date
    package let expires: Date
    /// The text after `Bearer`.
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

    /// Whether a new request may use it.
    func isFresh(at date: Date) -> Bool {
        issued <= date && date < expires.addingTimeInterval(-Self.margin)
    }

    /// Whether it is valid by a clock that shows `date`.
    func isValid(by date: Date) -> Bool { issued <= date && date <= expires }

    private static func part(_ value: some Encodable) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Strings and numbers can always be encoded as JSON.
        return Base64URL.text([UInt8]((try? encoder.encode(value)) ?? Data()))
    }
}

/// No description contains its text, which gives access to the team's account for minutes.
extension APIToken: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "API token" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: []) }
}

/// The header that Apple requires ("Generating Tokens for API Requests").
private struct TokenHeader: Encodable {
    let alg = "ES256"
    let kid: String
    let typ = "JWT"
}

/// The claims that Apple requires.
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
