import Bytes
import Cryptography

/// The digests of a file or the target of a link, from one pass over the archive.
enum FileFacts: Sendable {
    case file(FileDigests)
    case symbolicLink(target: RelativePath)
}

/// Digests of a file's contents: of those that a seal can require, the ones that some seal does.
struct FileDigests: Sendable {
    var sha1: [UInt8]?
    var sha256: [UInt8]?
}

/// The digests of a file that seals require.
struct WantedDigests: OptionSet, Sendable {
    let rawValue: UInt8

    static let sha1 = WantedDigests(rawValue: 1)
    static let sha256 = WantedDigests(rawValue: 2)
}
