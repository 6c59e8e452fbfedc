package import Bytes

/// An archive whose directory has exactly one meaning.
///
/// Initialization checks every record and every path, and reads no contents except those of symbolic
/// links: memory depends on the directory, not on the archive's size. Contents are checked when they are
/// read, or all at once by ``verify(threads:progress:sink:)``.
package struct ZipArchive: Sendable {
    /// The entries in directory order.
    package let entries: [ZipEntry]
    package let source: any ByteSource
    let limits: ZipLimits
    private let index: NameIndex

    /// Reads and checks the directory, every local header, and the target of each symbolic link.
    ///
    /// - Throws: the first reason for which the archive is ambiguous or exceeds `limits`.
    package init(
        reading source: any ByteSource,
        limits: ZipLimits = .ipa,
    ) throws(ZipRefusal) {
        try self.init(withAnyLinks: source, limits: limits)
        try checkSymbolicLinks(atMost: limits.symbolicLinks)
    }

    /// Reads and checks the same except for symbolic links, which the caller must check with
    /// ``escape(of:to:within:)``.
    ///
    /// - Throws: the first reason for which the archive is ambiguous or exceeds `limits`.
    package init(
        withAnyLinks source: any ByteSource,
        limits: ZipLimits,
    ) throws(ZipRefusal) {
        let end = try EndOfCentralDirectory(locatedIn: source, limits: limits)
        var entries = try CentralDirectory.entries(of: source, at: end, limits: limits)
        try limits.check(entries, archiveSize: source.count)
        index = try NameIndex(entries, limits: limits)
        var layout = ZipLayout(of: source, until: end.directoryOffset)
        try layout.settle(&entries)
        self.entries = entries
        self.source = source
        self.limits = limits
    }

    /// The entry with exactly this path, without a trailing slash; nil for folders without an entry of
    /// their own.
    package subscript(path: RelativePath) -> ZipEntry? {
        index.index(of: path, in: entries).map { entries[$0] }
    }

    /// The total compressed size of all entries in bytes: the final count in
    /// ``verify(threads:progress:sink:)``.
    package var compressedSize: Int {
        entries.reduce(0) { $0 + $1.compressedSize }
    }
}
