package import Cryptography

/// The extensions by which Apple marks the purpose of a certificate.
package enum AppleExtension {
    /// In the intermediate that issues developer certificates.
    package static let worldwideDeveloperRelations: OID = "1.2.840.113635.100.6.2.1"
    /// In an Apple Development (iPhone Developer) certificate.
    package static let development: OID = "1.2.840.113635.100.6.1.2"
    /// In an Apple Distribution (iPhone Distribution) certificate.
    package static let distribution: OID = "1.2.840.113635.100.6.1.4"
    /// In an Apple Development certificate for all platforms.
    package static let universalDevelopment: OID = "1.2.840.113635.100.6.1.12"
    /// In an Apple Distribution certificate for all platforms.
    package static let universalDistribution: OID = "1.2.840.113635.100.6.1.7"
    /// In the certificate that signs provisioning profiles.
    package static let profileSigning: OID = "1.2.840.113635.100.6.58"
    /// In the certificate that signs their DER form.
    package static let secondProfileSigning: OID = "1.2.840.113635.100.12.19"
}
