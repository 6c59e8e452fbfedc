import Bytes
package import Essentials

/// A parsed X.509 certificate, whose statements are not verified.
package struct Certificate: Sendable {
    package let der: [UInt8]
    package let subject: DistinguishedName
    package let issuer: DistinguishedName
    /// The content octets of the INTEGER, as a signed message refers to it.
    package let serial: [UInt8]
    package let notBefore: Date
    package let notAfter: Date
    package let keyKind: KeyKind
    /// SubjectPublicKeyInfo in DER.
    package let publicKey: [UInt8]
    /// The algorithm of the signature on the certificate (RFC 5280 section 4.1.1.2).
    package let signatureAlgorithm: OID
    package let extensions: [CertificateExtension]
    /// Whether the basic constraints make it a certification authority.
    package let isAuthority: Bool
    /// The maximum number of intermediate authorities between this one and a leaf; nil for no limit.
    package let pathLength: Int?
    /// Nil when the certificate does not restrict its key.
    package let keyUsage: KeyUsage?
    package let extendedKeyUsages: [OID]
    package let hosts: [AlternativeName]
    package let subjectKeyIdentifier: [UInt8]?
    package let sha256: SHA256Digest
    let object: OpenSSLObject
}

extension Certificate {
    /// Lower-case hexadecimal digits without leading zeroes, at least one.
    package var serialNumber: String {
        let digits = Hex.encode(serial)
        return String(digits.dropLast().drop { $0 == "0" } + digits.suffix(1))
    }

    /// `RSA 2048`, `EC P-256`.
    package var publicKeyDescription: String { keyKind.description }

    /// Host names and addresses as text.
    package var alternativeNames: [String] { hosts.map(\.description) }

    package var criticalExtensionOIDs: [OID] { extensions.filter(\.isCritical).map(\.oid) }

    package func hasExtension(_ oid: OID) -> Bool { extensions.contains { $0.oid == oid } }

    /// Whether issuer and subject are the same name; this does not prove that it is self-signed.
    package var isSelfIssued: Bool { subject == issuer }
}

extension Certificate: Hashable {
    package static func == (left: Self, right: Self) -> Bool { left.der == right.der }

    package func hash(into hasher: inout Hasher) { hasher.combine(sha256) }
}

extension Certificate: CustomStringConvertible {
    /// The common name, escaped for use in one line of text.
    package var description: String { subject.legibleName }
}

extension DistinguishedName {
    /// The common name, or else the whole name; escaped, from at most 120 characters.
    var legibleName: String {
        (commonName ?? description).unicodeScalars.prefix(120)
            .map { $0.properties.isPrintable ? String($0) : $0.escaped(asASCII: true) }.joined()
    }
}

extension Unicode.Scalar.Properties {
    fileprivate var isPrintable: Bool {
        switch generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned:
            false
        default: true
        }
    }
}
