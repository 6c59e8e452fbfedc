import Cryptography
import MachOFormat
import PropertyLists

/// Whether the signed attributes name the CodeDirectories in the signature.
package struct CodeHashEvidence: Hashable, Sendable {
    package enum Agreement: Hashable, Sendable {
        /// The attribute is absent, as in signatures from before about Xcode 8.
        case absent
        case agrees
        /// A CodeDirectory is not named, or the attribute cannot be read.
        case disagrees
    }

    /// Attribute 1.2.840.113635.100.9.1.
    package let list: Agreement
    /// Attribute 1.2.840.113635.100.9.2.
    package let digests: Agreement
}

extension CodeHashEvidence {
    init(_ attributes: SignedAttributes?, _ directories: [CodeDirectory]) {
        guard let attributes else {
            self.init(list: .absent, digests: .absent)
            return
        }
        self.init(
            list: Self.list(attributes, directories),
            digests: Self.digests(attributes, directories),
        )
    }

    private static func list(
        _ attributes: SignedAttributes,
        _ directories: [CodeDirectory],
    ) -> Agreement {
        guard attributes.hasCodeHashList else { return .absent }
        guard let bytes = attributes.codeHashList,
            let list = try? PropertyList(reading: bytes, limits: .enrolment),
            let named = list["cdhashes"]?.array?.map(\.data)
        else { return .disagrees }
        return directories.allSatisfy { named.contains($0.codeHash) } ? .agrees : .disagrees
    }

    private static func digests(
        _ attributes: SignedAttributes,
        _ directories: [CodeDirectory],
    ) -> Agreement {
        guard attributes.hasCodeDigests else { return .absent }
        guard let named = attributes.codeDigests else { return .disagrees }
        let agrees = directories.allSatisfy { directory in
            named.contains {
                DigestAlgorithm($0.algorithm) == directory.hashType.algorithm
                    && directory.fullDigest == $0.digest
            }
        }
        return agrees ? .agrees : .disagrees
    }
}

extension CodeDirectory {
    /// The digest of the whole blob by its own hash algorithm, not truncated.
    var fullDigest: [UInt8]? { hashType.algorithm?.digest(of: bytes) }

    /// The code directory hash: the first twenty bytes of the digest (xnu `CS_CDHASH_LEN`).
    var codeHash: [UInt8]? { fullDigest.map { Array($0.prefix(20)) } }
}
