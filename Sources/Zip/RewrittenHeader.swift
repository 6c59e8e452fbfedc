import Bytes

/// The bytes of a local header, to be written again before other contents.
struct RewrittenHeader {
    private let fixed: ArraySlice<UInt8>
    private let name: ArraySlice<UInt8>
    /// Without the zip64 field.
    private let extra: [UInt8]
    let isZip64: Bool

    /// Reads a header that was checked when the archive was opened.
    init(_ bytes: [UInt8]) throws(MalformedBytes) {
        var reader = ByteReader(bytes)
        fixed = try reader.bytes(LocalHeader.size, "local header")
        let length = Int(bytes[26]) | Int(bytes[27]) << 8
        name = try reader.bytes(length, "name")
        let extra = try reader.bytes(reader.remaining, "extra fields")
        self.extra = ExtraFields.withoutZip64(extra)
        isZip64 = self.extra.count != extra.count
    }

    /// The header with these numbers; CRC-32 and sizes are zero where a descriptor has them.
    func bytes(of entry: RewrittenEntry) -> [UInt8] {
        let isStream = entry.flags & EntryFlags.descriptor.rawValue != 0
        let size = isStream ? 0 : entry.size
        let compressedSize = isStream ? 0 : entry.compressedSize
        var writer = ByteWriter()
        writer.append(fixed[..<4])
        let version = UInt16(fixed[4]) | UInt16(fixed[5]) << 8
        writer.littleEndian(entry.isZip64 ? max(version, 45) : version)
        writer.littleEndian(entry.flags)
        writer.littleEndian(entry.method.rawValue)
        writer.append(fixed[10..<14])
        writer.littleEndian(isStream ? 0 : entry.crc32)
        writer.littleEndian(entry.isZip64 ? .max : UInt32(clamping: compressedSize))
        writer.littleEndian(entry.isZip64 ? .max : UInt32(clamping: size))
        writer.littleEndian(UInt16(clamping: name.count))
        writer.littleEndian(UInt16(clamping: extra.count + (entry.isZip64 ? 20 : 0)))
        writer.append(name)
        if entry.isZip64 { ExtraFields.appendZip64([size, compressedSize], to: &writer) }
        writer.append(extra)
        return writer.bytes
    }
}

extension RewrittenEntry {
    /// The descriptor after the data, with its signature.
    var descriptor: [UInt8] {
        var writer = ByteWriter()
        writer.littleEndian(DataDescriptor.signature)
        writer.littleEndian(crc32)
        if isZip64 {
            writer.littleEndian(UInt64(compressedSize))
            writer.littleEndian(UInt64(size))
        } else {
            writer.littleEndian(UInt32(clamping: compressedSize))
            writer.littleEndian(UInt32(clamping: size))
        }
        return writer.bytes
    }
}

/// The ranges of an archive's entries, and their directory records.
struct RewrittenLayout {
    private(set) var records: [Int: DirectoryRecord] = [:]
    private(set) var extents: [Int: Range<Int>] = [:]
    let comment: [UInt8]
    /// Whether the archive has zip64 end records, needed or not.
    let isZip64: Bool

    init(of archive: ZipArchive) throws(ZipRefusal) {
        let source = archive.source
        let end = try EndOfCentralDirectory(locatedIn: source, limits: archive.limits)
        let bytes = try EndOfCentralDirectory.bytes(
            of: source,
            at: end.directoryOffset,
            count: end.directorySize,
        )
        var reader = ByteReader(bytes)
        // The directory has one record for each entry, in the same order; otherwise the archive was
        // refused.
        for entry in archive.entries {
            do throws(MalformedBytes) {
                records[entry.headerOffset] = try DirectoryRecord(reading: &reader)
            } catch {
                throw ZipRefusal(.malformedDirectory, at: entry, error.description)
            }
        }
        let starts = archive.entries.map(\.headerOffset).sorted()
        for (index, start) in starts.enumerated() {
            let next = index + 1 < starts.count ? starts[index + 1] : end.directoryOffset
            extents[start] = start..<max(start, next)
        }
        comment = try Self.comment(of: source)
        isZip64 = end.offset + EndOfCentralDirectory.size + comment.count < source.count
    }

    /// The comment after the end record.
    private static func comment(of source: any ByteSource) throws(ZipRefusal) -> [UInt8] {
        let size = min(source.count, EndOfCentralDirectory.size + Int(UInt16.max))
        let tail = try EndOfCentralDirectory.bytes(
            of: source,
            at: source.count - size,
            count: size,
        )
        // An archive with several end records that reach the end of the file was refused.
        for start in Signature.positions(of: EndOfCentralDirectory.signature, in: tail)
        where start <= size - EndOfCentralDirectory.size {
            let end = start + EndOfCentralDirectory.size
            if end + Signature.commentLength(at: start, in: tail) == size {
                return Array(tail[end...])
            }
        }
        return []
    }
}
