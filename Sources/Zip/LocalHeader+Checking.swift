import Bytes

extension LocalHeader {
    /// Compares the header with the directory's entry, field by field.
    ///
    /// With a data descriptor, checksum and sizes may be zero here; the descriptor after the data is
    /// compared instead.
    func check(
        against entry: ZipEntry,
        name: ArraySlice<UInt8>,
        extra: ArraySlice<UInt8>,
    ) throws(ZipRefusal) {
        let expectedName = entry.path.bytes
        guard name.prefix(expectedName.count).elementsEqual(expectedName),
            name.dropFirst(expectedName.count).elementsEqual(
                (entry.kind == .directory ? "/" : "").utf8
            )
        else {
            throw ZipRefusal(
                .headerMismatch,
                at: entry,
                "is called \(PrintableText(escaping: name)) in its own header",
            )
        }
        try expect(method == entry.method.rawValue, "method", entry)
        try expect(
            flags.intersection(.meaningful) == entry.flags.intersection(.meaningful),
            "flags",
            entry,
        )
        let fields = try extraFields(extra, of: entry)
        if let unicodeName = fields.unicodeName, unicodeName != name {
            throw ZipRefusal(
                .ambiguousName,
                at: entry,
                "has another name, \(PrintableText(escaping: unicodeName)), in its Unicode Path field",
            )
        }
        try checkSizes(zip64: fields.zip64Data, of: entry)
    }

    /// Whether the header alone, without a descriptor, gives the end of the data.
    func isComplete(for entry: ZipEntry) -> Bool {
        crc32 == entry.crc32 && sizes.compressedSize == entry.compressedSize
            && sizes.size == entry.size
    }

    private func checkSizes(
        zip64: ArraySlice<UInt8>?,
        of entry: ZipEntry,
    ) throws(ZipRefusal) {
        var sizes = sizes
        do throws(MalformedBytes) {
            try sizes.adoptLocal(zip64)
        } catch {
            throw ZipRefusal(.malformedExtra, at: entry, error.description)
        }
        let mayBeZero = entry.flags.contains(.descriptor)
        try expect(crc32 == entry.crc32 || mayBeZero && crc32 == 0, "checksum", entry)
        try expect(
            sizes.compressedSize == entry.compressedSize
                || mayBeZero && sizes.compressedSize == 0,
            "compressed size",
            entry,
        )
        try expect(sizes.size == entry.size || mayBeZero && sizes.size == 0, "size", entry)
    }

    private func extraFields(
        _ bytes: ArraySlice<UInt8>,
        of entry: ZipEntry,
    ) throws(ZipRefusal) -> ExtraFields {
        do throws(MalformedBytes) {
            return try ExtraFields(local: bytes)
        } catch {
            throw ZipRefusal(.malformedExtra, at: entry, error.description)
        }
    }

    private func expect(
        _ isSame: Bool,
        _ field: String,
        _ entry: ZipEntry,
    ) throws(ZipRefusal) {
        guard isSame else {
            throw ZipRefusal(
                .headerMismatch,
                at: entry,
                "its header and the directory disagree on the \(field)",
            )
        }
    }
}
