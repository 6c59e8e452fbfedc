package import Essentials

/// Creates CMS signed messages (RFC 5652) with one signer.
package struct CMSSigner: Sendable {
    /// The order of the signed attributes.
    package enum AttributeOrder: Sendable {
        /// The order of a DER SET OF.
        case sorted
        /// Content type, signing time, digest and then the extra attributes, as Apple's tools may write
        /// them.
        case asGiven
    }

    package struct Attribute: Sendable {
        package let type: OID
        /// Encoded values, written in this order.
        package let values: [[UInt8]]

        package init(_ type: OID, _ values: [[UInt8]]) {
            self.type = type
            self.values = values
        }
    }

    package let identity: SigningIdentity
    package var digest = DigestAlgorithm.sha256
    package var isDetached = false
    /// Whether to sign attributes; without them the signature covers the content itself, as in messages
    /// of enrolling devices.
    package var hasAttributes = true
    package var attributeOrder = AttributeOrder.sorted
    package var extraAttributes: [Attribute] = []
    /// Writes NULL parameters after the digest algorithm and includes the digest in an RSA signature
    /// algorithm, as Apple's signers have done since 2020; readers accept both forms.
    package var namesAlgorithmsInFull = false
    package var contentType = OID.data

    package init(_ identity: SigningIdentity, digest: DigestAlgorithm = .sha256) {
        self.identity = identity
        self.digest = digest
    }

    /// Signs `content` and returns ContentInfo in DER.
    ///
    /// - Parameters:
    ///   - content: the content to sign; included in the message unless the signature is detached.
    ///   - date: the signing time attribute; nil to omit it.
    /// - Returns: the encoded message.
    /// - Throws: ``MalformedKey`` when the key cannot sign.
    package func sign(_ content: [UInt8], at date: Date? = nil) throws(MalformedKey) -> [UInt8] {
        let attributes = hasAttributes ? attributes(over: content, at: date) : nil
        let signed = attributes.map { DERBytes.element(0x31, $0) } ?? content
        let signature = try identity.key.sign(signed, digest: digest)
        let hasNull = namesAlgorithmsInFull || digest == .sha1
        let digestAlgorithm = DERBytes.algorithm(digest.oid, hasNull: hasNull)
        let certificate = identity.certificate
        let signer = DERBytes.sequence(
            of: [
                DERBytes.integer(1),
                DERBytes.sequence(
                    certificate.issuer.der,
                    DERBytes.element(0x02, certificate.serial),
                ),
                digestAlgorithm,
            ] + (attributes.map { [DERBytes.element(0xa0, $0)] } ?? []) + [
                try signatureAlgorithm(),
                DERBytes.octetString(signature),
            ]
        )
        let certificates = ([certificate] + identity.chain).map(\.der)
        let signedData = DERBytes.sequence(
            DERBytes.integer(contentType == .data ? 1 : 3),
            DERBytes.set(of: [digestAlgorithm]),
            encapsulated(content),
            DERBytes.element(0xa0, DERBytes.sorted(certificates)),
            DERBytes.set(of: [signer]),
        )
        return DERBytes.sequence(
            DERBytes.objectIdentifier(.signedData),
            DERBytes.context(0, signedData),
        )
    }

    private func encapsulated(_ content: [UInt8]) -> [UInt8] {
        let type = DERBytes.objectIdentifier(contentType)
        guard !isDetached else { return DERBytes.sequence(type) }
        return DERBytes.sequence(type, DERBytes.context(0, DERBytes.octetString(content)))
    }

    /// rsaEncryption for RSA keys, as Apple wrote it before 2020.
    private func signatureAlgorithm() throws(MalformedKey) -> [UInt8] {
        if case .rsa = identity.key.kind, !namesAlgorithmsInFull {
            return DERBytes.algorithm(.rsaEncryption)
        }
        return try identity.key.kind.signatureAlgorithm(digest)
    }

    private func attributes(over content: [UInt8], at date: Date?) -> [[UInt8]] {
        var attributes = [Attribute(.contentType, [DERBytes.objectIdentifier(contentType)])]
        if let date { attributes.append(Attribute(.signingTime, [DERBytes.time(date)])) }
        attributes.append(
            Attribute(.messageDigest, [DERBytes.octetString(digest.digest(of: content))])
        )
        let encoded = (attributes + extraAttributes).map { attribute in
            DERBytes.sequence(
                DERBytes.objectIdentifier(attribute.type),
                DERBytes.element(0x31, attribute.values),
            )
        }
        return attributeOrder == .sorted ? DERBytes.sorted(encoded) : encoded
    }
}

extension DigestAlgorithm {
    var oid: OID {
        switch self {
        case .sha1: .sha1
        case .sha256: .sha256
        case .sha384: .sha384
        }
    }
}
