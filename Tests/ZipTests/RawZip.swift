import Bytes

/// Writes archives record by record, so that each record can be wrong.
struct RawZip {
    var entries: [RawEntry]
    var prefix: [UInt8] = []
    /// Bytes between the last entry and the directory.
    var gapBeforeDirectory: [UInt8] = []
    /// Bytes between the directory and the end record.
    var gapBehindDirectory: [UInt8] = []
    var comment: [UInt8] = []
    var trailing: [UInt8] = []
    var disk: UInt16 = 0
    /// Errors that are added to the counts and offsets of the end record.
    var countError = 0
    var diskCountError = 0
    var directorySizeError = 0
    /// Adds a ZIP64 record and locator before the end record, whose count is off by this number.
    var zip64CountError: Int?

    init(_ entries: RawEntry...) {
        self.entries = entries
    }

    func bytes() -> [UInt8] {
        var writer = ByteWriter()
        var directory = ByteWriter()
        writer.append(prefix)
        for entry in entries {
            writer.append(entry.gapBefore)
            let offset = entry.headerOffset ?? writer.count
            writer.append(entry.localBytes())
            directory.append(entry.centralBytes(at: offset))
        }
        writer.append(gapBeforeDirectory)
        let offset = writer.count
        writer.append(directory.bytes)
        writer.append(gapBehindDirectory)
        if let zip64CountError {
            appendZip64(
                entries.count + zip64CountError,
                directory.count,
                offset,
                to: &writer,
            )
        }
        writer.littleEndian(0x0605_4B50 as UInt32)
        writer.littleEndian(disk)
        writer.littleEndian(0 as UInt16)
        writer.littleEndian(UInt16(entries.count + countError + diskCountError))
        writer.littleEndian(UInt16(entries.count + countError))
        writer.littleEndian(UInt32(directory.count + directorySizeError))
        writer.littleEndian(UInt32(offset))
        writer.littleEndian(UInt16(comment.count))
        writer.append(comment)
        writer.append(trailing)
        return writer.bytes
    }

    private func appendZip64(
        _ count: Int,
        _ size: Int,
        _ offset: Int,
        to writer: inout ByteWriter,
    ) {
        let record = writer.count
        writer.littleEndian(0x0606_4B50 as UInt32)
        writer.littleEndian(44 as UInt64)
        writer.littleEndian(0x002D_032D as UInt32)
        writer.littleEndian(0 as UInt64)
        for value in [count, count, size, offset] { writer.littleEndian(UInt64(value)) }
        writer.littleEndian(0x0706_4B50 as UInt32)
        writer.littleEndian(0 as UInt32)
        writer.littleEndian(UInt64(record))
        writer.littleEndian(1 as UInt32)
    }
}

/// An entry, described twice: in its local header and in the directory.
struct RawEntry {
    /// The fields that both headers have.
    struct Header {
        var name: [UInt8]
        var flags: UInt16 = 0x800
        var method: UInt16 = 0
        var crc32: UInt32
        var compressedSize: UInt32
        var size: UInt32
        var extra: [UInt8] = []
    }

    var local: Header
    var central: Header
    var data: [UInt8]
    var descriptor: [UInt8] = []
    var gapBefore: [UInt8] = []
    var host: UInt8 = 3
    var mode: UInt16 = 0o100644
    var dosAttributes: UInt16 = 0
    var disk: UInt16 = 0
    var headerOffset: Int?

    /// An entry that both headers describe correctly.
    init(_ name: String, _ contents: String = "") {
        let data = Array(contents.utf8)
        local = Header(
            name: Array(name.utf8),
            crc32: checksum(of: data),
            compressedSize: UInt32(data.count),
            size: UInt32(data.count),
        )
        central = local
        self.data = data
        if name.hasSuffix("/") { mode = 0o040755 }
    }

    /// Deflated data of any content, with a given size and checksum.
    init(_ name: String, deflated data: [UInt8], size: Int, of contents: String) {
        self.init(name, contents)
        self.data = data
        both {
            $0.method = 8
            $0.size = UInt32(size)
            $0.compressedSize = UInt32(data.count)
        }
    }

    mutating func both(_ change: (inout Header) -> Void) {
        change(&local)
        change(&central)
    }

    func changing(_ change: (inout RawEntry) -> Void) -> RawEntry {
        var copy = self
        change(&copy)
        return copy
    }

    func localBytes() -> [UInt8] {
        var writer = ByteWriter()
        writer.littleEndian(0x0403_4B50 as UInt32)
        append(local, to: &writer)
        writer.append(local.name)
        writer.append(local.extra)
        writer.append(data)
        writer.append(descriptor)
        return writer.bytes
    }

    func centralBytes(at offset: Int) -> [UInt8] {
        var writer = ByteWriter()
        writer.littleEndian(0x0201_4B50 as UInt32)
        writer.littleEndian(UInt16(host) << 8 | 20)
        append(central, to: &writer)
        writer.littleEndian(0 as UInt16)
        writer.littleEndian(disk)
        writer.littleEndian(0 as UInt16)
        writer.littleEndian(dosAttributes)
        writer.littleEndian(mode)
        writer.littleEndian(UInt32(offset))
        writer.append(central.name)
        writer.append(central.extra)
        return writer.bytes
    }

    private func append(_ header: Header, to writer: inout ByteWriter) {
        writer.littleEndian(20 as UInt16)
        writer.littleEndian(header.flags)
        writer.littleEndian(header.method)
        writer.littleEndian(0x0021_0000 as UInt32)
        writer.littleEndian(header.crc32)
        writer.littleEndian(header.compressedSize)
        writer.littleEndian(header.size)
        writer.littleEndian(UInt16(header.name.count))
        writer.littleEndian(UInt16(header.extra.count))
    }
}

/// CRC-32 bit by bit, implemented independently of the reader.
func checksum(of bytes: [UInt8]) -> UInt32 {
    var crc: UInt32 = .max
    for byte in bytes {
        crc ^= UInt32(byte)
        for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
    }
    return ~crc
}

/// An extra field.
func field(_ id: UInt16, _ data: [UInt8]) -> [UInt8] {
    var writer = ByteWriter()
    writer.littleEndian(id)
    writer.littleEndian(UInt16(data.count))
    writer.append(data)
    return writer.bytes
}

/// The little-endian bytes of values of one width.
func littleEndian<Value: FixedWidthInteger>(_ values: Value...) -> [UInt8] {
    var writer = ByteWriter()
    for value in values { writer.littleEndian(value) }
    return writer.bytes
}

/// `contents` as one stored block of a deflate stream.
func deflateBlock(_ contents: String) -> [UInt8] {
    let data = Array(contents.utf8)
    let count = UInt16(data.count)
    return [1] + littleEndian(count, ~count) + data
}
