import Bytes

/// How much an archive may ask of the machine that reads it.
///
/// The directory's two limits bound the memory of a ``ZipArchive``: its bytes are held once while
/// they are read, its names once more for good, and each entry or folder adds about 150 bytes.
package struct ZipLimits: Sendable {
    /// Entries, and as many folders that are only implied by paths.
    package var entries: Int
    /// Symbolic links, each of which is read while the archive is opened.
    package var symbolicLinks: Int
    /// Bytes of the central directory.
    package var directoryBytes: Int
    /// Bytes of one entry's contents.
    package var entrySize: Int
    /// Bytes of all contents together.
    package var totalSize: Int
    /// Bytes of one path.
    package var nameLength: Int
    /// All contents together to the archive's own size, above ``ratioFreeSize``.
    package var ratio: Int
    /// All contents together up to which ``ratio`` is not asked: less than a second's work.
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

    /// Apps of up to 4 GB as Apple accepts them, with room; 1024 is `PATH_MAX` on iOS.
    ///
    /// Real IPAs unpack to two to five times their size. A single file of zeroes may reach
    /// deflate's 1032, so the ratio is judged for the whole archive only.
    package static let ipa = ZipLimits()
}

extension ZipLimits {
    /// What one byte of deflate can become: 258 bytes of a match in two bits.
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
            // No overflow: each is at most `entrySize`, and the sum is checked at each step.
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
