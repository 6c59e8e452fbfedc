package import Cryptography

/// The hash algorithm of a CodeDirectory, with its number in the format.
package enum CodeHash: UInt8, Sendable {
    case sha1 = 1
    case sha256 = 2
    case sha384 = 4

    package var algorithm: DigestAlgorithm {
        switch self {
        case .sha1: .sha1
        case .sha256: .sha256
        case .sha384: .sha384
        }
    }

    package var size: Int {
        switch self {
        case .sha1: 20
        case .sha256: 32
        case .sha384: 48
        }
    }

    /// The object identifier of the algorithm in attribute 1.2.840.113635.100.9.2.
    package var objectIdentifier: OID {
        switch self {
        case .sha1: "1.3.14.3.2.26"
        case .sha256: "2.16.840.1.101.3.4.2.1"
        case .sha384: "2.16.840.1.101.3.4.2.2"
        }
    }
}
