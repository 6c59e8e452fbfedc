package import Cryptography
package import Essentials
import PropertyLists

/// The CMS message in slot 0x10000: detached, over the primary CodeDirectory.
///
/// In addition to what RFC 5652 requires, Apple's signers name every CodeDirectory in two attributes, so
/// that an alternate one cannot be replaced.
package struct CodeMessage: Sendable {
    /// The signing identity; the message embeds its certificate and chain.
    package let identity: SigningIdentity
    package let date: Date
    /// The message's digest over the primary CodeDirectory; codesign uses SHA-256 even where that
    /// directory uses SHA-1.
    package var digest = DigestAlgorithm.sha256
    /// As in ``CMSSigner``; false for messages in the form from before 2020.
    package var namesAlgorithmsInFull = true

    package init(identity: SigningIdentity, at date: Date) {
        self.identity = identity
        self.date = date
    }

    /// Signs the primary CodeDirectory.
    ///
    /// - Parameters:
    ///   - primary: the bytes of the CodeDirectory in slot 0.
    ///   - directories: the CodeDirectories to name in the attributes, in the order of their slots.
    /// - Returns: ContentInfo in DER.
    /// - Throws: ``MalformedKey`` when the key cannot sign.
    package func bytes(
        over primary: [UInt8],
        naming directories: [HashedCodeDirectory],
    ) throws(MalformedKey) -> [UInt8] {
        var signer = CMSSigner(identity, digest: digest)
        signer.isDetached = true
        signer.namesAlgorithmsInFull = namesAlgorithmsInFull
        signer.extraAttributes = [
            .init(Self.codeDigests, codeDigests(of: directories)),
            .init(Self.codeHashes, codeHashes(of: directories)),
        ]
        return try signer.sign(primary, at: date)
    }

    /// Attribute 1.2.840.113635.100.9.1: a property list of the code directory hashes.
    private func codeHashes(of directories: [HashedCodeDirectory]) -> [[UInt8]] {
        let list = PropertyList.dictionary([
            "cdhashes": .array(directories.map { .data($0.codeHash) })
        ])
        return [DERBytes.octetString(list.xml())]
    }

    /// Attribute 1.2.840.113635.100.9.2: each full digest.
    ///
    /// SHA-256 comes before SHA-1, as Apple's signer writes them, not in DER order.
    private func codeDigests(of directories: [HashedCodeDirectory]) -> [[UInt8]] {
        directories.sorted { $0.hash.rawValue > $1.hash.rawValue }.map {
            DERBytes.sequence(
                DERBytes.objectIdentifier($0.hash.objectIdentifier),
                DERBytes.octetString($0.digest),
            )
        }
    }

    private static let codeHashes: OID = "1.2.840.113635.100.9.1"
    private static let codeDigests: OID = "1.2.840.113635.100.9.2"
}
