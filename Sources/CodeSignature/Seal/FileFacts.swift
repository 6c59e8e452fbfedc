import Bytes
import Cryptography

/// What one pass over a file's bytes found.
enum FileFacts: Sendable {
    case file([DigestAlgorithm: [UInt8]])
    case symbolicLink(target: RelativePath)
}
