import Bytes

extension EndOfCentralDirectory {
    /// Reads the record of APPNOTE 4.3.16.
    init(reading bytes: inout ByteReader, at offset: Int) throws(MalformedBytes) {
        try bytes.expect(Self.signature, "end of central directory")
        disk = try bytes.unsigned16("disk number")
        directoryDisk = try bytes.unsigned16("disk number of the directory")
        entriesOnDisk = try bytes.unsigned16("entries on this disk")
        entryCount = try bytes.unsigned16("entry count")
        directorySize = try bytes.unsigned32("directory size")
        directoryOffset = try bytes.unsigned32("directory offset")
        self.offset = offset
    }

    /// Reads the record of APPNOTE 4.3.14, version 1; it must end where the locator begins.
    ///
    /// Version 2 appends the keys of an encrypted directory.
    init(
        readingZip64 bytes: inout ByteReader,
        at offset: Int,
        until end: Int,
    ) throws(MalformedBytes) {
        try bytes.expect(Self.zip64Signature, "zip64 end of central directory")
        let size = try bytes.length("size of the zip64 end record")
        guard size == Self.zip64Size - 12, size == end - offset - 12 else {
            throw MalformedBytes(
                "size of the zip64 end record",
                at: 4,
                .invalid(
                    "is \(size) and the locator follows after \((end - offset - 12).grouped) bytes"
                ),
            )
        }
        try bytes.skip(4, "versions")
        disk = try bytes.unsigned32("disk number")
        directoryDisk = try bytes.unsigned32("disk number of the directory")
        entriesOnDisk = try bytes.length("entries on this disk")
        entryCount = try bytes.length("entry count")
        directorySize = try bytes.length("directory size")
        directoryOffset = try bytes.length("directory offset")
        self.offset = offset
    }

    /// The position of the only record whose comment ends at the end of the file.
    ///
    /// A reader that searches backwards takes the last signature, and one that searches forwards takes
    /// the first that fits; both must find this one.
    static func position(
        in tail: [UInt8],
        of source: any ByteSource,
    ) throws(ZipRefusal) -> Int {
        let signatures = Signature.positions(of: signature, in: tail)
        let fitting = signatures.filter { position in
            tail.count - position >= size
                && tail.count - position - size == Signature.commentLength(at: position, in: tail)
        }
        guard let found = fitting.first else {
            throw try refusalForNoEnd(signatures, in: tail, of: source)
        }
        guard fitting.count == 1, signatures.last == found else {
            throw ZipRefusal(
                .severalEnds,
                at: ZipRefusal.endRecord,
                "more than one record can be taken for the archive's end",
            )
        }
        return found
    }

    private static func refusalForNoEnd(
        _ signatures: [Int],
        in tail: [UInt8],
        of source: any ByteSource,
    ) throws(ZipRefusal) -> ZipRefusal {
        if let last = signatures.last, tail.count - last >= size {
            let missing = Signature.commentLength(at: last, in: tail) - (tail.count - last - size)
            return missing < 0
                ? ZipRefusal(
                    .trailingData,
                    at: ZipRefusal.endRecord,
                    "\((-missing).grouped) bytes follow the archive's end",
                )
                : ZipRefusal(
                    .truncated,
                    at: ZipRefusal.endRecord,
                    "the archive's comment lacks \(missing.grouped) bytes",
                )
        }
        let beginning = try bytes(of: source, at: 0, count: min(gitPointer.count, source.count))
        if beginning.starts(with: Signature.localHeader) {
            return ZipRefusal(
                .truncated,
                at: ZipRefusal.endRecord,
                "the archive has no end record",
            )
        }
        return beginning == gitPointer
            ? ZipRefusal(
                .gitPointer,
                at: "line 1",
                "this is a Git LFS pointer, not the file itself",
            )
            : ZipRefusal(.notAnArchive, at: ZipRefusal.endRecord, "this is not a zip archive")
    }

    /// The beginning of the text file that Git LFS stores in place of a large file.
    private static let gitPointer = Array("version https://git-lfs".utf8)
}
