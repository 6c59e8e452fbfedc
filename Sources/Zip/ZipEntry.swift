package import Bytes

/// One file, folder or symbolic link of an archive whose directory was found to have one meaning.
package struct ZipEntry: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        case file
        case directory
        case symbolicLink
    }

    package enum Method: UInt16, Sendable, Hashable {
        case stored = 0
        case deflated = 8
    }

    /// Relative, with single slashes and none at the end.
    package let path: RelativePath
    package let kind: Kind
    package let method: Method
    /// Bytes in the archive.
    package let compressedSize: Int
    /// Bytes of the contents; proven only by reading them.
    package let size: Int
    package let crc32: UInt32
    /// Type and permission bits as `st_mode` has them, where the writer recorded any.
    package let unixMode: UInt16?
    /// Where the local header begins.
    package let headerOffset: Int
    /// Where the contents begin; set once the local header was checked.
    package internal(set) var dataOffset: Int
    /// The general purpose flags of the directory.
    let flags: EntryFlags

    /// Whether any of the three execute bits is set.
    package var isExecutable: Bool { (unixMode ?? 0) & 0o111 != 0 }

    /// The last component of the path.
    package var name: RelativePath { path.name }
}
