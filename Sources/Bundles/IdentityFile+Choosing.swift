package import Cryptography
package import Problems

extension IdentityFile {
    /// The certificates that a profile allows to sign, by their SHA-256 digests.
    package struct Signers: Sendable {
        /// The profile's name.
        package let profile: String
        package let certificates: Set<SHA256Digest>

        package init(profile: String, certificates: some Sequence<SHA256Digest>) {
            self.profile = profile
            self.certificates = Set(certificates)
        }

        package init(_ profile: ProvisioningProfile) {
            self.init(
                profile: profile.name,
                certificates: profile.certificates.map(\.sha256),
            )
        }
    }

    /// The identity in the file that all of the profiles allow to sign.
    ///
    /// - Parameter profiles: the certificates allowed by each profile; any identity is allowed if empty.
    /// - Returns: an identity, as in the file.
    /// - Throws: ``IdentityChoiceRefusal`` when there is none or more than one.
    package func identity(
        for profiles: [Signers]
    ) throws(IdentityChoiceRefusal) -> SigningIdentity {
        func lacking(_ identity: SigningIdentity) -> Signers? {
            profiles.first { !$0.certificates.contains(identity.certificate.sha256) }
        }
        let fitting = identities.filter { lacking($0) == nil }
        let names = identities.map(\.certificate.description)
        // The file may contain the same certificate twice.
        guard Set(fitting.map(\.certificate)).count < 2 else {
            throw .several(fitting.map(\.certificate.description))
        }
        if let identity = fitting.first { return identity }
        guard let first = identities.first, let profile = lacking(first) else {
            throw .several(names)
        }
        throw identities.count == 1
            ? .notInProfile(certificate: first.certificate.description, profile: profile.profile)
            : .noneInProfile(certificates: names, profile: profile.profile)
    }
}

/// Why no identity of a file can be selected for the profiles.
package enum IdentityChoiceRefusal: ReportableError, Equatable {
    case notInProfile(certificate: String, profile: String)
    case noneInProfile(certificates: [String], profile: String)
    /// Several identities match.
    case several([String])

    package var description: String {
        switch self {
        case .notInProfile(let certificate, let profile):
            "the profile \(profile) does not list the certificate \(certificate)"
        case .noneInProfile(let certificates, let profile):
            "no certificate in the file matches every profile: it has "
                + certificates.joined(separator: ", ") + ", and \(profile) lists others"
        case .several(let certificates):
            "the file has several identities: " + certificates.joined(separator: ", ")
        }
    }
}

extension IdentityChoiceRefusal {
    package var id: String {
        switch self {
        case .notInProfile, .noneInProfile: "identity.not-in-profile"
        case .several: "identity.several"
        }
    }

    package var kind: Problem.Kind { .refused }

    package var fix: String {
        switch self {
        case .notInProfile, .noneInProfile:
            "edit the profile on Apple's developer site so that it lists the certificate, and download "
                + "it again"
        case .several: "export one certificate with its private key, or give its profiles too"
        }
    }
}
