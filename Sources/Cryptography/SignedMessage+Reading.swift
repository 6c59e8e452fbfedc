import ASN1Reading
import Bytes
import SwiftASN1

extension SignedMessage {
    /// Parses a message in DER or BER, with definite or indefinite lengths.
    package init(
        reading bytes: [UInt8],
        limits: Limits = .profile,
    ) throws(MalformedMessage) {
        guard bytes.count <= limits.bytes else { throw .tooLarge(limit: limits.bytes) }
        guard bytes.first == 0x30 else { throw .notSignedData }
        guard ElementCount.isAtMost(limits.elements, in: bytes) else {
            throw .tooManyElements(limit: limits.elements)
        }
        let parts: Parts
        do throws(MalformedBytes) {
            parts = try Parts(reading: bytes)
        } catch {
            throw .field(error)
        }
        guard parts.isSignedData else { throw .notSignedData }
        guard parts.certificates.count <= limits.certificates else {
            throw .tooManyCertificates(limit: limits.certificates)
        }
        var certificates: [Certificate] = []
        for der in parts.certificates {
            do throws(MalformedCertificate) {
                certificates.append(try Certificate(der: der))
            } catch {
                throw .certificate(error)
            }
        }
        if let repeated = parts.repeatedAttribute { throw .repeatedAttribute(repeated) }
        contentType = parts.contentType
        content = parts.content
        self.certificates = certificates
        signers = parts.signers
    }
}

/// The fields of a message as they are encoded.
private struct Parts {
    var isSignedData = true
    var contentType = OID.data
    var content: [UInt8]?
    var certificates: [[UInt8]] = []
    var signers: [SignedMessage.Signer] = []
    var repeatedAttribute: OID?

    // ContentInfo ::= SEQUENCE { contentType OBJECT IDENTIFIER, content [0] EXPLICIT ANY }
    init(reading bytes: [UInt8]) throws(MalformedBytes) {
        let root = try ElementReader.root(bytes[...], "signed message")
        var info = try ElementReader(root, .sequence, "signed message")
        guard try info.objectIdentifier("content type") == .signedData else {
            isSignedData = false
            return
        }
        var wrapper = try ElementReader(try info.next("content"), .context(0), "content")
        try info.end()
        try readSignedData(try wrapper.next("signed data"))
        try wrapper.end()
    }

    // SignedData ::= SEQUENCE { version, digestAlgorithms, encapContentInfo,
    //     certificates [0] IMPLICIT OPTIONAL, crls [1] IMPLICIT OPTIONAL, signerInfos SET OF }
    private mutating func readSignedData(_ node: ASN1Node) throws(MalformedBytes) {
        var fields = try ElementReader(node, .sequence, "signed data")
        _ = try fields.integer("version")
        _ = try fields.next("digest algorithms")
        try readContent(try fields.next("encapsulated content"))
        if let set = fields.optional(.context(0)) {
            var members = try ElementReader(set, .context(0), "certificates")
            // The other choices of CertificateSet are attribute certificates, which sign nothing.
            certificates = members.rest().filter { $0.identifier == .sequence }
                .map { Array($0.encodedBytes) }
        }
        _ = fields.optional(.context(1))
        var infos = try ElementReader(try fields.next("signer infos"), .set, "signer infos")
        try fields.end()
        while !infos.isAtEnd { signers.append(try signer(try infos.next("signer info"))) }
    }

    // EncapsulatedContentInfo ::= SEQUENCE { eContentType, eContent [0] EXPLICIT OCTET STRING OPTIONAL }
    private mutating func readContent(_ node: ASN1Node) throws(MalformedBytes) {
        var fields = try ElementReader(node, .sequence, "encapsulated content")
        contentType = try fields.objectIdentifier("encapsulated content type")
        if let wrapped = fields.optional(.context(0)) {
            var wrapper = try ElementReader(wrapped, .context(0), "encapsulated content")
            content = try wrapper.octetString("encapsulated content")
            try wrapper.end()
        }
        try fields.end()
    }

    // SignerInfo ::= SEQUENCE { version, sid, digestAlgorithm, signedAttrs [0] IMPLICIT OPTIONAL,
    //     signatureAlgorithm, signature OCTET STRING, unsignedAttrs [1] IMPLICIT OPTIONAL }
    private mutating func signer(
        _ node: ASN1Node
    ) throws(MalformedBytes) -> SignedMessage.Signer {
        var fields = try ElementReader(node, .sequence, "signer info")
        _ = try fields.integer("version")
        let identifier = try Self.identifier(try fields.next("signer identifier"))
        let digestAlgorithm = try Self.algorithm(try fields.next("digest algorithm"))
        var attributes: SignedAttributes?
        if let set = fields.optional(.context(0)) { attributes = try readAttributes(set) }
        let signatureAlgorithm = try Self.algorithm(try fields.next("signature algorithm"))
        let signature = try fields.octetString("signature")
        _ = fields.optional(.context(1))
        try fields.end()
        return SignedMessage.Signer(
            identifier: identifier,
            digestAlgorithm: digestAlgorithm,
            signatureAlgorithm: signatureAlgorithm,
            attributes: attributes,
            signature: signature,
        )
    }

    // SignerIdentifier ::= CHOICE { issuerAndSerialNumber, subjectKeyIdentifier [0] IMPLICIT }
    private static func identifier(
        _ node: ASN1Node
    ) throws(MalformedBytes) -> SignedMessage.Identifier {
        if node.identifier == .context(0) {
            return .subjectKey(
                try ElementReader.octets(of: node, .context(0), "subject key identifier")
            )
        }
        var fields = try ElementReader(node, .sequence, "issuer and serial number")
        let issuer = try fields.next("issuer")
        let serial = try fields.integer("serial number")
        try fields.end()
        return .issuerAndSerial(issuer: Array(issuer.encodedBytes), serial: serial)
    }

    private static func algorithm(_ node: ASN1Node) throws(MalformedBytes) -> OID {
        var fields = try ElementReader(node, .sequence, "algorithm")
        return try fields.objectIdentifier("algorithm")
    }

    // SignedAttributes ::= SET OF SEQUENCE { attrType OBJECT IDENTIFIER, attrValues SET OF ANY }
    private mutating func readAttributes(
        _ node: ASN1Node
    ) throws(MalformedBytes) -> SignedAttributes {
        var members = try ElementReader(node, .context(0), "signed attributes")
        var encoded: [UInt8] = []
        var values: [OID: [[UInt8]]] = [:]
        for member in members.rest() {
            encoded += member.encodedBytes
            var fields = try ElementReader(member, .sequence, "signed attribute")
            let type = try fields.objectIdentifier("attribute type")
            var set = try ElementReader(
                try fields.next("attribute values"),
                .set,
                "attribute values",
            )
            try fields.end()
            let found = set.rest().map { Array($0.encodedBytes) }
            if values.updateValue(found, forKey: type) != nil { repeatedAttribute = type }
        }
        // Signed with the tag of a SET instead of the encoded [0] (section 5.4); the members keep their
        // bytes and order.
        return SignedAttributes(signedBytes: DERBytes.element(0x31, encoded), values: values)
    }
}

extension ASN1Identifier {
    fileprivate static func context(_ number: UInt) -> ASN1Identifier {
        ASN1Identifier(tagWithNumber: number, tagClass: .contextSpecific)
    }
}
