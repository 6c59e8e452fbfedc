package import Essentials

/// What a new certificate shall say.
///
/// Everything that varies is given, so an RSA authority issues the same bytes twice.
package struct CertificateTemplate: Sendable {
    package var subject: DistinguishedName
    /// Big-endian magnitude, at most 20 bytes; ``randomSerial()`` makes one.
    package var serial: [UInt8]
    package var notBefore: Date
    package var notAfter: Date
    package var isAuthority = false
    /// Authorities only: how many more may follow; nil for any number.
    package var pathLength: Int?
    package var hosts: [AlternativeName] = []
    package var keyUsage: KeyUsage?
    package var extendedKeyUsages: [OID] = []
    /// Written after the others, in this order.
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

    /// 16 random bytes, which always make a positive number.
    package static func randomSerial() -> [UInt8] {
        var bytes = randomBytes(16)
        bytes[0] = bytes[0] & 0x7f | 0x40
        return bytes
    }
}

extension CertificateTemplate {
    /// An authority that signs other certificates.
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

    /// A server's certificate that iOS accepts under an installed authority.
    ///
    /// Apple's rules for servers: names in the alternative names only, the serverAuth purpose, and
    /// at most 825 days (support.apple.com/103769).
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
