import Bytes
import Cryptography

/// The digests of a file or the target of a link, from one pass over the archive.
enum FileFacts: Sendable {
    case file(FileDigests)
    case symbolicLink(target: RelativePath)
}

/// Digests of a file's contents: those that a seal can ask for, and of these the ones that some seal did.
struct FileDigests: Sendable {
    var sha1: [UInt8]?
    var sha256: [UInt8]?
}

/// Which digests of a file the seals ask for.
struct WantedDigests: OptionSet, Sendable {
    let rawValue: UInt8

    static let sha1 = WantedDigests(rawValue: 1)
    static let sha256 = WantedDigests(rawValue: 2)
}
