/// A parsed CMS SignedData (RFC 5652 section 5), not verified.
package struct SignedMessage: Sendable {
    /// Limits on the work that untrusted input can cause.
    package struct Limits: Sendable {
        package var bytes: Int
        package var elements: Int
        package var certificates: Int

        package init(bytes: Int, elements: Int = 20_000, certificates: Int = 32) {
            self.bytes = bytes
            self.elements = elements
            self.certificates = certificates
        }

        /// For provisioning profiles and code signatures: 4 MiB.
        package static let profile = Limits(bytes: 4 << 20)
        /// For the message that an enrolling device posts: 64 KiB.
        ///
        /// Such a message embeds up to four certificates.
        package static let enrolment = Limits(
            bytes: 64 << 10,
            elements: 2000,
            certificates: 8,
        )
    }

    package let contentType: OID
    /// Nil when the signature is detached.
    package let content: [UInt8]?
    /// The embedded certificates, in the order of the message.
    package let certificates: [Certificate]
    package let signers: [Signer]
}

extension SignedMessage {
    /// One signer's signature, and what it covers.
    package struct Signer: Sendable {
        package let identifier: Identifier
        package let digestAlgorithm: OID
        package let signatureAlgorithm: OID
        /// Nil when the signature covers the content itself.
        package let attributes: SignedAttributes?
        package let signature: [UInt8]
    }

    /// How a message identifies its signer among the embedded certificates.
    package enum Identifier: Equatable, Sendable {
        /// The encoded issuer name and the content octets of the serial number.
        case issuerAndSerial(issuer: [UInt8], serial: [UInt8])
        case subjectKey([UInt8])

        func matches(_ certificate: Certificate) -> Bool {
            switch self {
            case .issuerAndSerial(let issuer, let serial):
                certificate.issuer.der == issuer && certificate.serial == serial
            case .subjectKey(let identifier): certificate.subjectKeyIdentifier == identifier
            }
        }
    }
}

/// The attributes that a signature covers along with the content.
package struct SignedAttributes: Equatable, Sendable {
    /// The signed bytes: a SET OF in the order of the message, in DER or not.
    ///
    /// Apple's signatures do not sort their sets, so these bytes are kept and never re-encoded from the
    /// values.
    package let signedBytes: [UInt8]
    /// The encoded values by type, in the order of the message.
    package let values: [OID: [[UInt8]]]

    init(signedBytes: [UInt8], values: [OID: [[UInt8]]]) {
        self.signedBytes = signedBytes
        self.values = values
    }

    /// The only value of an attribute; nil when it is absent or has several.
    package func single(_ type: OID) -> [UInt8]? {
        guard let found = values[type], found.count == 1 else { return nil }
        return found.first
    }
}
