package import Cryptography
import PropertyLists

/// A finished CodeDirectory with its digest.
struct HashedCodeDirectory {
    let hash: CodeHash
    let blob: [UInt8]

    var digest: [UInt8] { hash.algorithm.digest(of: blob) }

    /// The identity of the code: the first 20 bytes of the digest, whichever it is.
    var codeHash: [UInt8] { Array(digest.prefix(20)) }
}

/// The message in slot 0x10000: detached, over the primary CodeDirectory.
extension CodeSigner {
    func message(over directories: [HashedCodeDirectory]) throws -> [UInt8] {
        let named = options.misstatesHashes ? directories.map(\.misstated) : directories
        let digest: DigestAlgorithm = directories[0].hash == .sha1 ? .sha1 : .sha256
        var signer = CMSSigner(options.includesChain ? identity : identity.alone, digest: digest)
        signer.isDetached = true
        signer.extraAttributes = [
            .init(AppleAttribute.codeDigests, codeDigests(of: named)),
            .init(AppleAttribute.codeHashes, codeHashes(of: named)),
        ]
        return try signer.sign(directories[0].blob, at: date)
    }

    /// Attribute 9.1: a property list of the code hashes.
    private func codeHashes(of directories: [HashedCodeDirectory]) -> [[UInt8]] {
        let list = PropertyList.dictionary([
            "cdhashes": .array(directories.map { .data($0.codeHash) })
        ])
        return [DERBytes.octetString(list.xml())]
    }

    /// Attribute 9.2: each digest in full; with two, SHA-256 comes before SHA-1.
    private func codeDigests(of directories: [HashedCodeDirectory]) -> [[UInt8]] {
        directories.sorted { $0.hash.rawValue > $1.hash.rawValue }.map {
            DERBytes.sequence(
                DERBytes.objectIdentifier($0.hash.objectIdentifier),
                DERBytes.octetString($0.digest),
            )
        }
    }
}

extension HashedCodeDirectory {
    fileprivate var misstated: HashedCodeDirectory {
        HashedCodeDirectory(hash: hash, blob: blob + [0])
    }
}

extension SigningIdentity {
    fileprivate var alone: SigningIdentity { SigningIdentity(certificate: certificate, key: key) }
}

/// Attributes that Apple adds to a code signature's message.
package enum AppleAttribute {
    package static let codeHashes: OID = "1.2.840.113635.100.9.1"
    package static let codeDigests: OID = "1.2.840.113635.100.9.2"
}
