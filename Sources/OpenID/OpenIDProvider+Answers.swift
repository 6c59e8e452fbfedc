import Access
import Bytes

/// Evaluates a provider's responses.
extension OpenIDProvider {
    /// The maximum number of values of the role claim.
    private static let roleLimit = 250

    /// The person described by the sources.
    ///
    /// Each property comes from the first source that has it; an e-mail address and whether it is
    /// verified come from the same source.
    static func person(
        _ issuer: IssuerURL,
        _ subject: String,
        _ sources: [TokenFields],
        _ roleClaim: String?,
    ) -> Person {
        let addressed = sources.first { $0.text("email") != nil }
        let email = addressed?.text("email").flatMap { $0.utf8.count <= 254 ? $0 : nil }
        let name = sources.lazy.compactMap { $0.text("name") ?? $0.text("preferred_username") }
            .first
        let roles = roleClaim.flatMap { claim in
            sources.lazy.compactMap { $0.texts(at: claim, atMost: roleLimit) }.first
        }
        return Person(
            issuer: issuer,
            subject: subject,
            email: email,
            isEmailVerified: email != nil && addressed?.flag("email_verified") ?? false,
            name: name.map { PrintableText(escaping: $0, limit: 100).text },
            roleValues: roles ?? [],
        )
    }

    func userInfo(
        at address: String,
        with access: String,
        of subject: String,
    ) async throws(SignInRefusal) -> TokenFields {
        let bytes = try await call.document(
            address,
            atMost: ProviderCall.tokenLimit,
            bearing: access,
        )
        let info = try TokenFields(bytes, in: .badAnswer)
        // Section 5.3.2: a response about another person must not be used.
        guard let named = info.text("sub"), named.isBytes(of: subject) else {
            throw SignInRefusal(.otherPerson)
        }
        return info
    }

    /// A token that can be sent in a header field; nil for any other.
    static func accessToken(in answer: TokenFields) -> String? {
        answer.text("access_token").flatMap { token in
            (1...(16 << 10)).contains(token.utf8.count)
                && token.utf8.allSatisfy { (0x21...0x7E).contains($0) } ? token : nil
        }
    }

    /// A token short enough to store; nil for any other.
    static func kept(_ token: String) -> String? {
        (1...8192).contains(token.utf8.count) ? token : nil
    }
}
