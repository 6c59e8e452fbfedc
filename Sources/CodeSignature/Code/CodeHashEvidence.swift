import Cryptography
import MachOFormat
import PropertyLists

/// Whether the signer's attributes name the CodeDirectories that are there.
package struct CodeHashEvidence: Hashable, Sendable {
    package enum Agreement: Hashable, Sendable {
        /// Before Xcode 8 or so, signatures carry neither attribute.
        case absent
        case agrees
        /// A CodeDirectory is not among those named, or the attribute cannot be read.
        case disagrees
    }

    /// 1.2.840.113635.100.9.1.
    package let list: Agreement
    /// 1.2.840.113635.100.9.2.
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
    /// The digest of the whole blob by its own algorithm, in full even where the type cuts it.
    var fullDigest: [UInt8]? { hashType.algorithm?.digest(of: bytes) }

    /// What identifies the code: the first twenty bytes of the digest (xnu `CS_CDHASH_LEN`).
    var codeHash: [UInt8]? { fullDigest.map { Array($0.prefix(20)) } }
}
