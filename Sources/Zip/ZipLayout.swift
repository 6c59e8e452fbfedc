import Bytes

/// Checks that every byte from the start of the archive to its directory belongs to exactly one entry.
///
/// A server reads an archive by its directory; a phone that unpacks while it downloads reads it from the
/// start. Both see the same entries only if the local headers match the directory and no bytes are
/// before, between or shared by entries. Overlapping entries are also how small archives unpack to
/// petabytes.
struct ZipLayout {
    private let directoryOffset: Int
    private var window: SourceWindow

    init(of source: any ByteSource, until directoryOffset: Int) {
        self.directoryOffset = directoryOffset
        window = SourceWindow(source)
    }

    /// Checks every local header and descriptor, and sets the offset of each entry's data.
    mutating func settle(_ entries: inout [ZipEntry]) throws(ZipRefusal) {
        let order = entries.indices.sorted {
            entries[$0].headerOffset < entries[$1].headerOffset
        }
        var position = 0
        for (rank, index) in order.enumerated() {
            try checkStart(of: entries[index], at: position)
            let next =
                rank + 1 < order.count ? entries[order[rank + 1]].headerOffset : directoryOffset
            position = try settle(&entries[index], until: min(next, directoryOffset))
        }
        guard position == directoryOffset else {
            throw ZipRefusal(
                entries.isEmpty ? .prefixData : .gap,
                at: ZipRefusal.directory,
                "\((directoryOffset - position).grouped) bytes before the directory belong to no entry",
            )
        }
    }

    private func checkStart(of entry: ZipEntry, at position: Int) throws(ZipRefusal) {
        guard entry.headerOffset >= position else {
            throw ZipRefusal(
                .overlap,
                at: entry,
                "begins at \(entry.headerOffset), inside the entry before it",
            )
        }
        guard entry.headerOffset <= position else {
            throw ZipRefusal(
                position == 0 ? .prefixData : .gap,
                at: entry,
                "\((entry.headerOffset - position).grouped) bytes before it belong to no entry",
            )
        }
    }

    /// - Returns: the end of the entry, including its descriptor.
    private mutating func settle(
        _ entry: inout ZipEntry,
        until next: Int,
    ) throws(ZipRefusal) -> Int {
        let header = try localHeader(of: entry)
        entry.dataOffset =
            entry.headerOffset + LocalHeader.size + header.nameLength + header.extraLength
        guard entry.dataOffset <= directoryOffset,
            entry.compressedSize <= directoryOffset - entry.dataOffset
        else {
            throw ZipRefusal(.overlap, at: entry, "reaches into the directory")
        }
        let end = entry.dataOffset + entry.compressedSize
        guard entry.flags.contains(.descriptor) else { return end }
        guard end <= next else {
            throw ZipRefusal(.overlap, at: entry, "reaches into the next entry")
        }
        // Some archivers set the flag, fill in the header as well, and write no descriptor.
        guard end < next || !header.isComplete(for: entry) else { return end }
        return try checkDescriptor(of: entry, from: end, until: next)
    }

    private mutating func localHeader(of entry: ZipEntry) throws(ZipRefusal) -> LocalHeader {
        guard directoryOffset - entry.headerOffset >= LocalHeader.size else {
            throw ZipRefusal(.overlap, at: entry, "its header reaches into the directory")
        }
        let fixed = try bytes(at: entry.headerOffset, count: LocalHeader.size, of: entry)
        let header = try record(
            in: fixed,
            at: PrintableText(escaping: entry.path).text,
            otherwise: .headerMismatch,
        ) {
            (reader) throws(MalformedBytes) in
            try LocalHeader(reading: &reader)
        }
        let variable = entry.headerOffset + LocalHeader.size
        guard header.nameLength + header.extraLength <= directoryOffset - variable else {
            throw ZipRefusal(.overlap, at: entry, "its header reaches into the directory")
        }
        let rest = try bytes(
            at: variable,
            count: header.nameLength + header.extraLength,
            of: entry,
        )
        try header.check(
            against: entry,
            name: rest.prefix(header.nameLength),
            extra: rest.dropFirst(header.nameLength),
        )
        return header
    }

    private mutating func checkDescriptor(
        of entry: ZipEntry,
        from start: Int,
        until next: Int,
    ) throws(ZipRefusal) -> Int {
        let length = next - start
        guard length >= DataDescriptor.lengths[0] else {
            throw ZipRefusal(.headerMismatch, at: entry, "its data descriptor is missing")
        }
        guard DataDescriptor.lengths.contains(length) else {
            throw ZipRefusal(
                .gap,
                at: entry,
                "\(length.grouped) bytes follow its data where a data descriptor is due",
            )
        }
        let found = try record(
            in: try bytes(at: start, count: length, of: entry),
            at: PrintableText(escaping: entry.path).text,
            otherwise: .headerMismatch,
        ) { (reader) throws(MalformedBytes) in
            try DataDescriptor(reading: &reader)
        }
        guard found.crc32 == entry.crc32, found.compressedSize == entry.compressedSize,
            found.size == entry.size
        else {
            throw ZipRefusal(
                .headerMismatch,
                at: entry,
                "its data descriptor and the directory disagree",
            )
        }
        return next
    }

    private mutating func bytes(
        at offset: Int,
        count: Int,
        of entry: ZipEntry,
    ) throws(ZipRefusal) -> ArraySlice<UInt8> {
        do throws(SourceFailure) {
            return try window.bytes(at: offset, count: count)
        } catch {
            throw ZipRefusal(error, at: PrintableText(escaping: entry.path).text)
        }
    }
}
