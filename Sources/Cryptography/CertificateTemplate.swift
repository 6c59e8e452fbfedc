package import Essentials

/// The contents of a certificate to be issued.
///
/// Everything that varies is a property, so an RSA authority issues identical bytes for identical
/// templates.
package struct CertificateTemplate: Sendable {
    package var subject: DistinguishedName
    /// Big-endian magnitude, at most 20 bytes; see ``randomSerial()``.
    package var serial: [UInt8]
    package var notBefore: Date
    package var notAfter: Date
    package var isAuthority = false
    /// The maximum number of intermediate authorities below this one; nil for no limit.
    package var pathLength: Int?
    package var hosts: [AlternativeName] = []
    package var keyUsage: KeyUsage?
    package var extendedKeyUsages: [OID] = []
    /// Written after the standard extensions, in this order.
    package var customExtensions: [CertificateExtension] = []
    package var digest = DigestAlgorithm.sha256

    package init(
        subject: DistinguishedName,
        serial: [UInt8],
        notBefore: Date,
        notAfter: Date,
    ) {
        self.subject = subject
        self.serial = serial
        self.notBefore = notBefore
        self.notAfter = notAfter
    }

    /// Returns 16 random bytes that encode a positive number.
    package static func randomSerial() -> [UInt8] {
        var bytes = randomBytes(16)
        bytes[0] = bytes[0] & 0x7f | 0x40
        return bytes
    }
}

extension CertificateTemplate {
    /// A certification authority.
    package static func authority(
        _ subject: DistinguishedName,
        serial: [UInt8],
        validity: ClosedRange<Date>,
        pathLength: Int? = nil,
    ) -> CertificateTemplate {
        var template = CertificateTemplate(
            subject: subject,
            serial: serial,
            notBefore: validity.lowerBound,
            notAfter: validity.upperBound,
        )
        template.isAuthority = true
        template.pathLength = pathLength
        template.keyUsage = [.certificateSigning, .revocationListSigning]
        return template
    }

    /// A server certificate that iOS accepts under an installed authority.
    ///
    /// Apple's requirements: host names only in the subject alternative names, the serverAuth purpose,
    /// and at most 825 days of validity (support.apple.com/103769).
    package static func server(
        _ hosts: [AlternativeName],
        serial: [UInt8],
        validity: ClosedRange<Date>,
    ) -> CertificateTemplate {
        let longest = validity.lowerBound.addingTimeInterval(825 * 86_400 - 1)
        var template = CertificateTemplate(
            subject: DistinguishedName(commonName: hosts.first?.description ?? "server"),
            serial: serial,
            notBefore: validity.lowerBound,
            notAfter: min(validity.upperBound, longest),
        )
        template.hosts = hosts
        template.keyUsage = [.digitalSignature, .keyEncipherment]
        template.extendedKeyUsages = [.serverAuthentication]
        return template
    }
}
