import Bytes
package import Essentials

/// An X.509 certificate as it describes itself; nothing here says that it can be trusted.
package struct Certificate: Sendable {
    package let der: [UInt8]
    package let subject: DistinguishedName
    package let issuer: DistinguishedName
    /// The content octets of the INTEGER, as a signed message names it.
    package let serial: [UInt8]
    package let notBefore: Date
    package let notAfter: Date
    package let keyKind: KeyKind
    /// SubjectPublicKeyInfo.
    package let publicKey: [UInt8]
    /// The algorithm of the signature on the certificate (RFC 5280 section 4.1.1.2).
    package let signatureAlgorithm: OID
    package let extensions: [CertificateExtension]
    /// Whether basic constraints make it an authority.
    package let isAuthority: Bool
    /// How many authorities may stand between this one and a leaf; nil for any number.
    package let pathLength: Int?
    /// nil when the certificate does not limit its key.
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

    /// Host names and addresses.
    package var alternativeNames: [String] { hosts.map(\.description) }

    package var criticalExtensionOIDs: [OID] { extensions.filter(\.isCritical).map(\.oid) }

    package func hasExtension(_ oid: OID) -> Bool { extensions.contains { $0.oid == oid } }

    /// Whether issuer and subject are the same name; not a proof that it signed itself.
    package var isSelfIssued: Bool { subject == issuer }
}

extension Certificate: Hashable {
    package static func == (left: Self, right: Self) -> Bool { left.der == right.der }

    package func hash(into hasher: inout Hasher) { hasher.combine(sha256) }
}

extension Certificate: CustomStringConvertible {
    /// The common name, escaped to be safe in one line of text.
    package var description: String { subject.legibleName }
}

extension DistinguishedName {
    /// The common name or the whole name, escaped and at most 120 characters.
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
