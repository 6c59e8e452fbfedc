package import Bytes

/// An archive whose directory has exactly one meaning.
///
/// Making one checks every record of the format and every path, and reads no contents but those of
/// symbolic links: memory depends on the directory, never on the archive's size. Contents are
/// proven when they are read, or all at once by ``verify(threads:progress:sink:)``.
package struct ZipArchive: Sendable {
    /// In the directory's order.
    package let entries: [ZipEntry]
    package let source: any ByteSource
    let limits: ZipLimits
    private let index: NameIndex

    /// Reads and checks the directory, every local header, and where each symbolic link leads.
    ///
    /// - Throws: the first reason for which the archive has no single meaning or exceeds `limits`.
    package init(
        reading source: any ByteSource,
        limits: ZipLimits = .ipa,
    ) throws(ZipRefusal) {
        try self.init(withAnyLinks: source, limits: limits)
        try checkSymbolicLinks(atMost: limits.symbolicLinks)
    }

    /// Reads and checks the same except for symbolic links, each of which the caller judges by
    /// ``escape(of:to:within:)``.
    ///
    /// - Throws: the first reason for which the archive has no single meaning or exceeds `limits`.
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

    /// The entry with exactly this path, without a slash at its end; nil for folders that are only
    /// implied.
    package subscript(path: RelativePath) -> ZipEntry? {
        index.index(of: path, in: entries).map { entries[$0] }
    }

    /// The compressed bytes of all entries: what ``verify(threads:progress:sink:)`` counts up to.
    package var compressedSize: Int {
        entries.reduce(0) { $0 + $1.compressedSize }
    }
}
