package import Cryptography

/// Extensions by which Apple marks what a certificate is for.
package enum AppleExtension {
    /// On the intermediate that issues developer certificates.
    package static let worldwideDeveloperRelations: OID = "1.2.840.113635.100.6.2.1"
    /// On an Apple Development (iPhone Developer) certificate.
    package static let development: OID = "1.2.840.113635.100.6.1.2"
    /// On an Apple Distribution (iPhone Distribution) certificate.
    package static let distribution: OID = "1.2.840.113635.100.6.1.4"
    /// On an Apple Development certificate for every platform.
    package static let universalDevelopment: OID = "1.2.840.113635.100.6.1.12"
    /// On an Apple Distribution certificate for every platform.
    package static let universalDistribution: OID = "1.2.840.113635.100.6.1.7"
    /// On the certificate that signs provisioning profiles.
    package static let profileSigning: OID = "1.2.840.113635.100.6.58"
    /// On the certificate that signs their DER form.
    package static let secondProfileSigning: OID = "1.2.840.113635.100.12.19"
}
