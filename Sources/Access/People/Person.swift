import Bytes
import Cryptography

/// Someone whom an OpenID provider has named.
///
/// Issuer and subject together are the identity; all else is for people to read, or decides roles.
package struct Person: Codable, Hashable, Sendable {
    package let issuer: IssuerURL
    /// What the provider calls the person, for good; at most 255 bytes.
    package let subject: String
    package let email: String?
    /// Whether the provider says that the address is the person's.
    package let isEmailVerified: Bool
    package let name: String?
    /// Values of the claim that roles are given by.
    package let roleValues: [String]

    /// - Parameters:
    ///   - issuer: the provider.
    ///   - subject: what it calls the person.
    ///   - email: as the provider says it.
    ///   - isEmailVerified: whether the provider says that the address is the person's.
    ///   - name: as the provider says it.
    ///   - roleValues: values of the claim that roles are given by.
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

    /// The address that counts in lists; nil where the provider does not say that it is the person's.
    package var verifiedEmail: String? { isEmailVerified ? email?.inLowerASCII : nil }

    /// How pages and the activity name the person: a verified address stands for one person; a name alone
    /// could be anyone's, so the identity stands behind it.
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

    /// Stands for issuer and subject where uploads are kept, whatever their lengths and characters.
    package var uploader: String {
        SHA256Digest(of: Array("ota uploader\0\(issuer.text)\0\(subject)".utf8)).description
    }

    /// Whether both are the same person, whatever else is known of them.
    package func isSame(as other: Person) -> Bool {
        issuer == other.issuer && subject.isBytes(of: other.subject)
    }
}

extension String {
    /// The text with A to Z as a to z and all else as it is: other letters that have a small one in ASCII, such
    /// as the sign for Kelvin, are other letters.
    var inLowerASCII: String {
        String(
            decoding: utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 },
            as: UTF8.self,
        )
    }
}
