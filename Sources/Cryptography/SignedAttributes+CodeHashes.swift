import ASN1Reading
import Bytes
import SwiftASN1

/// The signed attributes about CodeDirectories in Apple's code signatures.
extension SignedAttributes {
    /// 1.2.840.113635.100.9.1: a property list whose `cdhashes` are the first twenty bytes of each
    /// digest.
    ///
    /// - Returns: the bytes of the property list; nil when the attribute is absent or malformed.
    package var codeHashList: [UInt8]? {
        guard let value = single(.codeHashList),
            let node = try? ElementReader.root(value[...], "code hash list")
        else { return nil }
        return try? ElementReader.octets(of: node, .octetString, "code hash list")
    }

    /// 1.2.840.113635.100.9.2: each full digest with its algorithm, in the order of the message.
    ///
    /// - Returns: nil when the attribute is absent or one of its values is malformed.
    package var codeDigests: [(algorithm: OID, digest: [UInt8])]? {
        guard let encoded = values[.codeDigests] else { return nil }
        var digests: [(algorithm: OID, digest: [UInt8])] = []
        for value in encoded {
            guard let digest = try? Self.codeDigest(value) else { return nil }
            digests.append(digest)
        }
        return digests
    }

    package var hasCodeHashList: Bool { values[.codeHashList] != nil }

    package var hasCodeDigests: Bool { values[.codeDigests] != nil }

    private static func codeDigest(
        _ value: [UInt8]
    ) throws(MalformedBytes) -> (algorithm: OID, digest: [UInt8]) {
        let field = "code digest"
        var parts = try ElementReader(
            try ElementReader.root(value[...], field),
            .sequence,
            field,
        )
        let algorithm = try parts.objectIdentifier("digest algorithm")
        let digest = try parts.octetString(field)
        try parts.end()
        return (algorithm, digest)
    }
}

extension SignedMessage {
    /// The embedded certificate that the first signer names; it is not verified.
    package var claimedSigner: Certificate? {
        signers.first.flatMap { signer in certificates.first(where: signer.identifier.matches) }
    }
}

extension OID {
    fileprivate static let codeHashList: OID = "1.2.840.113635.100.9.1"
    fileprivate static let codeDigests: OID = "1.2.840.113635.100.9.2"
}

extension DigestAlgorithm {
    /// The algorithm with an object identifier (RFC 5754); nil for others.
    package init?(_ oid: OID) {
        guard let algorithm = Self.allCases.first(where: { $0.oid == oid }) else { return nil }
        self = algorithm
    }
}
