package import Cryptography
package import Essentials
import PropertyLists

/// The message in slot 0x10000: detached, over the primary CodeDirectory.
///
/// Beside what RFC 5652 asks for, Apple's signers name every CodeDirectory in two attributes, so that
/// an alternate one cannot be exchanged.
package struct CodeMessage: Sendable {
    /// Who signs; the message carries the certificate and its chain.
    package let identity: SigningIdentity
    package let date: Date
    /// The digest of the primary CodeDirectory that is signed; codesign takes SHA-256 even where
    /// that directory has SHA-1.
    package var digest = DigestAlgorithm.sha256
    /// As in ``CMSSigner``; false for messages like those from before 2020.
    package var namesAlgorithmsInFull = true

    package init(identity: SigningIdentity, at date: Date) {
        self.identity = identity
        self.date = date
    }

    /// - Parameters:
    ///   - primary: the bytes of the CodeDirectory in slot 0.
    ///   - directories: those that the attributes name, in the order of their slots.
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

    /// Attribute 9.1: a property list of the code hashes.
    private func codeHashes(of directories: [HashedCodeDirectory]) -> [[UInt8]] {
        let list = PropertyList.dictionary([
            "cdhashes": .array(directories.map { .data($0.codeHash) })
        ])
        return [DERBytes.octetString(list.xml())]
    }

    /// Attribute 9.2: each digest in full; with two, SHA-256 comes before SHA-1, as Apple's signer
    /// writes them and not as DER sorts a set.
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
