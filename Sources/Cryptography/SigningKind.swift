/// What Apple lets a certificate sign apps for; the raw values are a JSON contract.
package enum SigningKind: String, Codable, Sendable, CaseIterable {
    /// Apple Development, or iPhone Developer: builds for a development profile.
    case development
    /// Apple Distribution, or iPhone Distribution: builds for every other profile.
    case distribution
}

extension Certificate {
    /// The kind by the extensions that iOS asks for; nil for a certificate that signs no apps for iOS.
    ///
    /// Certificates for every platform carry the marks of Macs (1.2.840.113635.100.6.1.12 and .7)
    /// besides; alone those make no signer of apps for iOS.
    package var signingKind: SigningKind? {
        if hasExtension("1.2.840.113635.100.6.1.4") { return .distribution }
        return hasExtension("1.2.840.113635.100.6.1.2") ? .development : nil
    }

    /// The identifier of the team, which Apple writes as the organizational unit.
    package var signingTeam: String? { subject.organizationalUnit }
}
