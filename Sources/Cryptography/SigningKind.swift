/// The kinds of builds that Apple lets a certificate sign; the raw values are part of the JSON format.
package enum SigningKind: String, Codable, Sendable, CaseIterable {
    /// Apple Development, or iPhone Developer: builds for a development profile.
    case development
    /// Apple Distribution, or iPhone Distribution: builds for every other profile.
    case distribution
}

extension Certificate {
    /// The kind, by the extensions that iOS requires; nil for a certificate that cannot sign iOS apps.
    ///
    /// Certificates for all platforms also have the Mac markers (1.2.840.113635.100.6.1.12 and .7), which
    /// alone do not allow signing iOS apps.
    package var signingKind: SigningKind? {
        if hasExtension("1.2.840.113635.100.6.1.4") { return .distribution }
        return hasExtension("1.2.840.113635.100.6.1.2") ? .development : nil
    }

    /// The team identifier, which Apple writes as the organizational unit.
    package var signingTeam: String? { subject.organizationalUnit }
}
