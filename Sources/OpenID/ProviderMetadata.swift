package import Access
import Bytes
import Essentials

/// A provider's metadata (OpenID Connect Discovery 1.0 section 3), with the fields that are used.
package struct ProviderMetadata: Equatable, Sendable {
    package let issuer: IssuerURL
    package let authorizationEndpoint: String
    package let tokenEndpoint: String
    package let keysAddress: String
    /// The userinfo endpoint; nil when there is none.
    package let userInfoEndpoint: String?
    /// The endpoint that ends a person's session at the provider; nil when there is none.
    package let endSessionEndpoint: String?
    /// Whether authorization responses contain the issuer (RFC 9207).
    package let namesIssuerInAnswers: Bool
    /// Whether the provider supports back-channel logout.
    package let announcesLogouts: Bool
    /// The supported methods of client authentication: `client_secret_basic`, `client_secret_post` and
    /// others.
    package let clientMethods: [String]

    /// The maximum size of the document in bytes.
    static let limit = 256 << 10

    /// The URL of an issuer's document (section 4).
    static func address(of issuer: IssuerURL) -> String {
        var text = issuer.text
        while text.hasSuffix("/") { text.removeLast() }
        return text + "/.well-known/openid-configuration"
    }

    /// Parses the document of `issuer`.
    ///
    /// - Throws: ``SignInRefusal`` for the document of another issuer, or when a required URL is missing
    ///   or not secure.
    init(_ bytes: [UInt8], of issuer: IssuerURL) throws(SignInRefusal) {
        let fields = try TokenFields(bytes, in: .badAnswer)
        guard let named = fields.text("issuer") else {
            throw SignInRefusal(.badAnswer, "it names no issuer")
        }
        guard named.isBytes(of: issuer.text) else {
            throw SignInRefusal(.otherIssuer, PrintableText(escaping: named, limit: 200).text)
        }
        self.issuer = issuer
        authorizationEndpoint = try Self.needed("authorization_endpoint", fields)
        tokenEndpoint = try Self.needed("token_endpoint", fields)
        keysAddress = try Self.needed("jwks_uri", fields)
        userInfoEndpoint = try Self.address("userinfo_endpoint", fields)
        endSessionEndpoint = try Self.address("end_session_endpoint", fields)
        namesIssuerInAnswers = fields.flag("authorization_response_iss_parameter_supported")
        announcesLogouts = fields.flag("backchannel_logout_supported")
        clientMethods =
            fields.texts("token_endpoint_auth_methods_supported") ?? ["client_secret_basic"]
    }

    private static func needed(
        _ name: String,
        _ fields: TokenFields,
    ) throws(SignInRefusal) -> String {
        guard let address = try address(name, fields) else {
            throw SignInRefusal(.badAnswer, "it has no \(name)")
        }
        return address
    }

    private static func address(
        _ name: String,
        _ fields: TokenFields,
    ) throws(SignInRefusal) -> String? {
        guard let text = fields.text(name) else { return nil }
        guard IssuerURL.isSecure(text), !text.contains("#") else {
            throw SignInRefusal(.insecureAddress, name)
        }
        return text
    }
}
