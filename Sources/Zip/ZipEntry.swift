package import Bytes

/// A file, folder or symbolic link in an archive whose directory is unambiguous.
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

    /// Relative, with single slashes and no trailing slash.
    package let path: RelativePath
    package let kind: Kind
    package let method: Method
    /// Compressed size in bytes.
    package let compressedSize: Int
    /// Uncompressed size in bytes; checked only when the contents are read.
    package let size: Int
    package let crc32: UInt32
    /// File type and permission bits as in `st_mode`; nil when the writer recorded none.
    package let unixMode: UInt16?
    /// The offset of the local header.
    package let headerOffset: Int
    /// The offset of the contents; set once the local header was checked.
    package internal(set) var dataOffset: Int
    /// The general purpose flags from the directory.
    let flags: EntryFlags

    /// Whether any of the three execute bits is set.
    package var isExecutable: Bool { (unixMode ?? 0) & 0o111 != 0 }

    /// The last component of the path.
    package var name: RelativePath { path.name }
}
