import Bytes

/// The contents of the end records (APPNOTE 4.3.14 to 4.3.16).
struct EndOfCentralDirectory: Equatable {
    static let signature: UInt32 = 0x0605_4B50
    static let size = 22
    static let zip64Signature: UInt32 = 0x0606_4B50
    static let zip64Size = 56
    static let locatorSignature: UInt32 = 0x0706_4B50
    static let locatorSize = 20

    let disk: Int
    let directoryDisk: Int
    let entriesOnDisk: Int
    let entryCount: Int
    let directorySize: Int
    let directoryOffset: Int
    /// The offset of the first end record, where the directory must end.
    let offset: Int
}

extension EndOfCentralDirectory {
    /// Finds the only end record, and checks that the directory it gives ends directly before it.
    init(locatedIn source: any ByteSource, limits: ZipLimits) throws(ZipRefusal) {
        let tailSize = min(source.count, Self.size + Int(UInt16.max))
        let tailOffset = source.count - tailSize
        let tail = try Self.bytes(of: source, at: tailOffset, count: tailSize)
        let position = try Self.position(in: tail, of: source)
        let small = try record(in: tail[position...], at: ZipRefusal.endRecord) {
            (reader) throws(MalformedBytes) in
            try EndOfCentralDirectory(reading: &reader, at: tailOffset + position)
        }
        self = try small.replacedByZip64(in: source)
        try checkDisks()
        try checkRange(in: source, limits: limits)
    }

    private func checkDisks() throws(ZipRefusal) {
        guard disk == 0, directoryDisk == 0 else { throw Self.multiDisk }
        guard entriesOnDisk == entryCount else {
            throw ZipRefusal(
                .countMismatch,
                at: ZipRefusal.endRecord,
                "\(entryCount.grouped) entries in all, \(entriesOnDisk.grouped) of them on this one disk",
            )
        }
    }

    private func checkRange(in source: any ByteSource, limits: ZipLimits) throws(ZipRefusal) {
        guard entryCount <= limits.entries else {
            throw ZipRefusal(
                .tooManyEntries,
                at: ZipRefusal.endRecord,
                "\(entryCount.grouped) entries, more than the \(limits.entries.grouped) allowed",
            )
        }
        guard directoryOffset <= offset, directorySize <= offset - directoryOffset else {
            throw ZipRefusal(
                .truncated,
                at: ZipRefusal.endRecord,
                "the directory of \(directorySize.grouped) bytes at \(directoryOffset) reaches beyond its "
                    + "end record at \(offset)",
            )
        }
        guard directorySize == offset - directoryOffset else {
            throw try refusalForUnclaimedBytes(in: source)
        }
        guard directorySize <= limits.directoryBytes else {
            throw ZipRefusal(
                .tooLarge,
                at: ZipRefusal.endRecord,
                "a directory of \(directorySize.grouped) bytes, more than the "
                    + "\(limits.directoryBytes.grouped) "
                    + "allowed",
            )
        }
    }

    /// Bytes before the archive shift all offsets; otherwise the extra bytes are a gap.
    private func refusalForUnclaimedBytes(
        in source: any ByteSource
    ) throws(ZipRefusal) -> ZipRefusal {
        let unclaimed = offset - directoryOffset - directorySize
        let there = try Self.bytes(
            of: source,
            at: directoryOffset,
            count: min(4, source.count - directoryOffset),
        )
        guard there == Signature.centralHeader else {
            return ZipRefusal(
                .prefixData,
                at: ZipRefusal.endRecord,
                "\(unclaimed.grouped) bytes precede the archive",
            )
        }
        return ZipRefusal(
            .gap,
            at: ZipRefusal.endRecord,
            "\(unclaimed.grouped) bytes between the directory and its end record",
        )
    }

    static let multiDisk = ZipRefusal(
        .multiDisk,
        at: ZipRefusal.endRecord,
        "the archive is one of several parts",
    )

    static func bytes(
        of source: any ByteSource,
        at offset: Int,
        count: Int,
    ) throws(ZipRefusal) -> [UInt8] {
        do throws(SourceFailure) {
            return try source.bytes(at: offset, count: count)
        } catch {
            throw ZipRefusal(error, at: ZipRefusal.endRecord)
        }
    }
}
