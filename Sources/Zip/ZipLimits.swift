import Bytes

/// Limits on the resources that reading an archive may take.
///
/// The two limits of the directory bound the memory of a ``ZipArchive``: its bytes are held while they
/// are read, its names are kept, and each entry or folder adds about 150 bytes.
package struct ZipLimits: Sendable {
    /// The maximum number of entries; also that of folders without an entry.
    package var entries: Int
    /// The maximum number of symbolic links, each of which is read when the archive is opened.
    package var symbolicLinks: Int
    /// The maximum size of the central directory in bytes.
    package var directoryBytes: Int
    /// The maximum uncompressed size of one entry in bytes.
    package var entrySize: Int
    /// The maximum uncompressed size of all entries in bytes.
    package var totalSize: Int
    /// The maximum length of a path in bytes.
    package var nameLength: Int
    /// The maximum ratio of total uncompressed size to archive size, above ``ratioFreeSize``.
    package var ratio: Int
    /// The total uncompressed size in bytes up to which ``ratio`` is not checked: less than a second's
    /// work.
    package var ratioFreeSize: Int

    package init(
        entries: Int = 100_000,
        symbolicLinks: Int = 5000,
        directoryBytes: Int = 10 << 20,
        entrySize: Int = 8 << 30,
        totalSize: Int = 16 << 30,
        nameLength: Int = 1024,
        ratio: Int = 100,
        ratioFreeSize: Int = 256 << 20,
    ) {
        self.entries = entries
        self.symbolicLinks = symbolicLinks
        self.directoryBytes = directoryBytes
        self.entrySize = entrySize
        self.totalSize = totalSize
        self.nameLength = nameLength
        self.ratio = ratio
        self.ratioFreeSize = ratioFreeSize
    }

    /// For apps of up to 4 GB, as Apple accepts them, with room to spare; 1024 is `PATH_MAX` on iOS.
    ///
    /// Real IPAs unpack to two to five times their size. A single file of zeroes may reach deflate's
    /// 1032, so the ratio is checked only for the whole archive.
    package static let ipa = ZipLimits()
}

extension ZipLimits {
    /// The maximum ratio of deflate: a match of 258 bytes in two bits.
    package static let deflateRatio = 1032

    func check(_ sizes: EntrySizes, at place: @autoclosure () -> String) throws(ZipRefusal) {
        guard sizes.size <= entrySize else {
            throw ZipRefusal(
                .tooLarge,
                at: place(),
                "has \(sizes.size.grouped) bytes, more than the \(entrySize.grouped) allowed",
            )
        }
        let reachable = sizes.compressedSize.multipliedReportingOverflow(by: Self.deflateRatio)
        guard reachable.overflow || sizes.size <= reachable.partialValue else {
            throw ZipRefusal(
                .ratio,
                at: place(),
                "claims \(sizes.size.grouped) bytes out of \(sizes.compressedSize.grouped), "
                    + "more than deflate "
                    + "can hold",
            )
        }
    }

    func check(_ entries: [ZipEntry], archiveSize: Int) throws(ZipRefusal) {
        var total = 0
        for entry in entries {
            // No overflow: each size is at most `entrySize`, and the sum is checked in each step.
            total += entry.size
            guard total <= totalSize else {
                throw ZipRefusal(
                    .tooLarge,
                    at: entry,
                    "brings the contents to more than the \(totalSize.grouped) bytes allowed",
                )
            }
        }
        guard total <= ratioFreeSize || total / ratio <= archiveSize else {
            throw ZipRefusal(
                .ratio,
                at: ZipRefusal.directory,
                "\(archiveSize.grouped) bytes would unpack to \(total.grouped), "
                    + "more than \(ratio) times as many",
            )
        }
    }
}
