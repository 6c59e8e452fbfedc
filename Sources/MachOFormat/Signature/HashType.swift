/// The hash algorithm of a CodeDirectory for pages, slots and itself (xnu `cs_blobs.h`).
package enum HashType: Hashable, Sendable {
    case sha1, sha256
    /// SHA-256 truncated to its first twenty bytes.
    case sha256Truncated
    case sha384
    case unknown(UInt8)

    package init(_ number: UInt8) {
        self =
            switch number {
            case 1: .sha1
            case 2: .sha256
            case 3: .sha256Truncated
            case 4: .sha384
            default: .unknown(number)
            }
    }

    /// The size of a digest in bytes; nil for a type that the kernel does not know.
    package var size: Int? {
        switch self {
        case .sha1, .sha256Truncated: 20
        case .sha256: 32
        case .sha384: 48
        case .unknown: nil
        }
    }

    /// The kernel uses the CodeDirectory whose type has the highest rank.
    package var rank: Int {
        switch self {
        case .unknown: 0
        case .sha1: 1
        case .sha256Truncated: 2
        case .sha256: 3
        case .sha384: 4
        }
    }
}

extension HashType: CustomStringConvertible {
    package var description: String {
        switch self {
        case .sha1: "SHA-1"
        case .sha256: "SHA-256"
        case .sha256Truncated: "truncated SHA-256"
        case .sha384: "SHA-384"
        case .unknown(let number): "hash type \(number)"
        }
    }
}
