/// An extension of a certificate, uninterpreted (RFC 5280 section 4.2).
package struct CertificateExtension: Hashable, Sendable {
    package let oid: OID
    /// Whether a reader that does not know the extension must reject the certificate.
    package let isCritical: Bool
    /// The DER inside the OCTET STRING.
    package let value: [UInt8]

    package init(_ oid: OID, isCritical: Bool = false, value: [UInt8]) {
        self.oid = oid
        self.isCritical = isCritical
        self.value = value
    }
}

/// The purposes to which a certificate's key is restricted (RFC 5280 section 4.2.1.3).
package struct KeyUsage: OptionSet, Hashable, Sendable {
    /// The first octet of the BIT STRING; bit 0 of the specification is the most significant.
    package let rawValue: UInt8

    package init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    package static let digitalSignature = KeyUsage(rawValue: 0x80)
    package static let keyEncipherment = KeyUsage(rawValue: 0x20)
    package static let certificateSigning = KeyUsage(rawValue: 0x04)
    package static let revocationListSigning = KeyUsage(rawValue: 0x02)
}
