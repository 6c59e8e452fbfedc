import Access
package import Essentials

/// The results of the parsers for a provider's documents, in a form about which promises can be made.
package enum ReadIdentity {
    package static let issuer = "https://id.example.com"
    package static let client = "ota"
    package static let nonce = "0a1b2c"

    /// Returns the subject of an ID token, if that is valid.
    ///
    /// - Parameters:
    ///   - token: the token as the provider sends it.
    ///   - keys: the provider's JSON Web Key Set.
    ///   - date: the current time.
    /// - Returns: the provider's identifier of the person.
    /// - Throws: ``SignInRefusal``.
    package static func subject(
        of token: String,
        keys: [UInt8],
        at date: Date,
    ) throws(SignInRefusal) -> String {
        let token = try WebToken(token)
        let set = try WebKeySet(keys, at: date)
        return try subject(
            of: token,
            token.fields(signedBy: set.keys(named: token.keyIdentifier)),
            date,
        )
    }

    /// Returns the subject in a token's claims if they are valid for this sign-in; no signature is checked.
    ///
    /// - Throws: ``SignInRefusal``.
    package static func subject(
        ofClaims claims: [UInt8],
        at date: Date,
    ) throws(SignInRefusal) -> String {
        // The header of a token with ES256.
        let token = try WebToken("eyJhbGciOiJFUzI1NiJ9.e30.AA")
        return try subject(of: token, TokenFields(claims, in: .badToken), date)
    }

    /// Whether claims are those of a logout token.
    ///
    /// - Throws: ``SignInRefusal``.
    package static func logout(
        ofClaims claims: [UInt8],
        at date: Date,
    ) throws(SignInRefusal) -> LogoutNotice {
        let token = try WebToken("eyJhbGciOiJFUzI1NiJ9.e30.AA")
        return try LogoutNotice(
            TokenFields(claims, in: .badToken),
            of: token,
            as: try expectation(nonce: nil, date),
        )
    }

    /// Returns, for each usable key in a set, the number of its algorithms, which is at least 1.
    ///
    /// - Throws: ``SignInRefusal``.
    package static func keyCounts(_ bytes: [UInt8], at date: Date) throws(SignInRefusal) -> [Int] {
        try WebKeySet(bytes, at: date).keys.map(\.algorithms.count)
    }

    /// Returns the URLs in a provider's metadata.
    ///
    /// - Throws: ``SignInRefusal``.
    package static func addresses(_ bytes: [UInt8]) throws(SignInRefusal) -> [String] {
        guard let issuer = IssuerURL(issuer) else { throw SignInRefusal(.otherIssuer) }
        let metadata = try ProviderMetadata(bytes, of: issuer)
        return [
            metadata.issuer.text, metadata.authorizationEndpoint, metadata.tokenEndpoint,
            metadata.keysAddress,
        ] + [metadata.userInfoEndpoint, metadata.endSessionEndpoint].compactMap(\.self)
    }

    private static func subject(
        of token: WebToken,
        _ fields: TokenFields,
        _ date: Date,
    ) throws(SignInRefusal) -> String {
        _ = fields.texts(at: "realm_access.roles", atMost: 250)
        return try expectation(nonce: nonce, date).check(fields, of: token)
    }

    private static func expectation(
        nonce: String?,
        _ date: Date,
    ) throws(SignInRefusal) -> IdentityExpectation {
        guard let issuer = IssuerURL(issuer) else { throw SignInRefusal(.otherIssuer) }
        return IdentityExpectation(
            issuer: issuer,
            clientID: client,
            nonce: nonce,
            accessToken: nil,
            now: date,
        )
    }
}
