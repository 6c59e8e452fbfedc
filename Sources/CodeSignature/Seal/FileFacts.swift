import Bytes
import Cryptography

/// The digests of a file or the target of a link, from one pass over the archive.
enum FileFacts: Sendable {
    case file([DigestAlgorithm: [UInt8]])
    case symbolicLink(target: RelativePath)
}
