import Bytes

extension EndOfCentralDirectory {
    /// The zip64 record, where a locator points to one; else this record.
    ///
    /// Some readers always follow the locator, others only when a field is 0xFFFF or 0xFFFFFFFF, so every
    /// other field must agree with the zip64 record.
    func replacedByZip64(in source: any ByteSource) throws(ZipRefusal) -> Self {
        guard let recordOffset = try zip64Offset(in: source) else { return self }
        let locatorOffset = offset - Self.locatorSize
        guard recordOffset <= locatorOffset, locatorOffset - recordOffset >= Self.zip64Size else {
            throw ZipRefusal(
                .malformedDirectory,
                at: ZipRefusal.endRecord,
                "the zip64 end record is not before its locator",
            )
        }
        let bytes = try Self.bytes(of: source, at: recordOffset, count: Self.zip64Size)
        let large = try record(in: bytes[...], at: ZipRefusal.endRecord) {
            (reader) throws(MalformedBytes) in
            try Self(readingZip64: &reader, at: recordOffset, until: locatorOffset)
        }
        guard agrees(with: large) else {
            throw ZipRefusal(
                .headerMismatch,
                at: ZipRefusal.endRecord,
                "the zip64 end record and the end record disagree",
            )
        }
        return large
    }

    /// The offset in the locator before this record; nil when there is no locator.
    private func zip64Offset(in source: any ByteSource) throws(ZipRefusal) -> Int? {
        guard offset >= Self.locatorSize else { return nil }
        let bytes = try Self.bytes(
            of: source,
            at: offset - Self.locatorSize,
            count: Self.locatorSize,
        )
        guard bytes.starts(with: Signature.zip64Locator) else { return nil }
        let locator = try record(in: bytes[...], at: ZipRefusal.endRecord) {
            (reader) throws(MalformedBytes) in
            try reader.expect(Self.locatorSignature, "zip64 locator")
            return (
                disk: try reader.unsigned32("disk of the zip64 end record"),
                offset: try reader.length("offset of the zip64 end record"),
                disks: try reader.unsigned32("number of disks"),
            )
        }
        guard locator.disk == 0, locator.disks <= 1 else { throw Self.multiDisk }
        return locator.offset
    }

    private func agrees(with large: Self) -> Bool {
        let short = Int(UInt16.max)
        let long = Int(UInt32.max)
        return [
            disk == short || disk == large.disk,
            directoryDisk == short || directoryDisk == large.directoryDisk,
            entriesOnDisk == short || entriesOnDisk == large.entriesOnDisk,
            entryCount == short || entryCount == large.entryCount,
            directorySize == long || directorySize == large.directorySize,
            directoryOffset == long || directoryOffset == large.directoryOffset,
        ].allSatisfy(\.self)
    }
}
