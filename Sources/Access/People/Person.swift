import Bytes
import Cryptography

/// A person whom an OpenID provider has identified.
///
/// Issuer and subject together are the identity; everything else is for display, or determines roles.
package struct Person: Codable, Hashable, Sendable {
    package let issuer: IssuerURL
    /// The provider's permanent identifier of the person; at most 255 bytes.
    package let subject: String
    package let email: String?
    /// Whether the provider has verified that the e-mail address is the person's.
    package let isEmailVerified: Bool
    package let name: String?
    /// Values of the claim that determines roles.
    package let roleValues: [String]

    /// - Parameters:
    ///   - issuer: the provider.
    ///   - subject: the provider's identifier of the person.
    ///   - email: the e-mail address that the provider reports.
    ///   - isEmailVerified: whether the provider has verified that the address is the person's.
    ///   - name: the name that the provider reports.
    ///   - roleValues: values of the claim that determines roles.
    package init(
        issuer: IssuerURL,
        subject: String,
        email: String? = nil,
        isEmailVerified: Bool = false,
        name: String? = nil,
        roleValues: [String] = [],
    ) {
        self.issuer = issuer
        self.subject = subject
        self.email = email
        self.isEmailVerified = isEmailVerified
        self.name = name
        self.roleValues = roleValues
    }

    /// The e-mail address in lower case for comparison with grants; nil if the provider has not verified
    /// it.
    package var verifiedEmail: String? { isEmailVerified ? email?.inLowerASCII : nil }

    /// The person's name on pages and in the activity.
    ///
    /// A verified e-mail address is unique to a person; a name alone could be anyone's, so the identity
    /// follows it.
    package var shownName: String {
        if let verifiedEmail { return PrintableText(escaping: verifiedEmail, limit: 100).text }
        let identity = PrintableText(escaping: "\(subject) at \(issuer.host)", limit: 100).text
        guard let label = name ?? email else { return identity }
        return PrintableText(escaping: label, limit: 60).text + " (\(identity))"
    }

    /// Issuer and subject, for the activity.
    package var identity: String {
        PrintableText(escaping: "\(subject) at \(issuer.text)", limit: 200).text
    }

    /// A digest of issuer and subject as the owner of uploads, independent of their lengths and characters.
    package var uploader: String {
        SHA256Digest(of: Array("ota uploader\0\(issuer.text)\0\(subject)".utf8)).description
    }

    /// Whether both are the same person, whatever else is known about them.
    package func isSame(as other: Person) -> Bool {
        issuer == other.issuer && subject.isBytes(of: other.subject)
    }
}

extension String {
    /// The text with A to Z in lower case.
    ///
    /// Other letters stay as they are, even those with a lower-case form in ASCII, such as the Kelvin sign.
    var inLowerASCII: String {
        String(
            decoding: utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 },
            as: UTF8.self,
        )
    }
}
