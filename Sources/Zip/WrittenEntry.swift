import Bytes

/// An entry in the form that ``ZipWriter`` writes.
struct WrittenEntry {
    private static let utf8AndDescriptor: (UInt16, UInt16) = (1 << 11, 1 << 3)
    /// 1980-01-01, the beginning of DOS time: the time in the low 16 bits, the date in the high.
    static let firstMoment: UInt32 = (1 << 5 | 1) << 16
    private static let unixHost: UInt16 = 3 << 8

    let path: String
    let mode: UInt16
    let method: ZipEntry.Method
    let headerOffset: Int
    let hasDescriptor: Bool
    let isZip64: Bool
    /// The modification time and date in DOS form.
    var moment = Self.firstMoment
    var crc32: UInt32 = 0
    var compressedSize = 0
    var size = 0

    private var version: UInt16 { isZip64 ? 45 : 20 }
    private var isFolder: Bool { mode & 0o170000 == 0o040000 }

    func localHeader() -> [UInt8] {
        var writer = ByteWriter()
        let size = hasDescriptor ? 0 : size
        let compressedSize = hasDescriptor ? 0 : compressedSize
        writer.littleEndian(LocalHeader.signature)
        appendCommon(to: &writer, crc32: hasDescriptor ? 0 : crc32)
        writer.littleEndian(isZip64 ? .max : UInt32(clamping: compressedSize))
        writer.littleEndian(isZip64 ? .max : UInt32(clamping: size))
        writer.littleEndian(UInt16(clamping: path.utf8.count))
        writer.littleEndian(isZip64 ? 20 : 0 as UInt16)
        writer.append(path.utf8)
        if isZip64 { ExtraFields.appendZip64([size, compressedSize], to: &writer) }
        return writer.bytes
    }

    func descriptor(withSignature hasSignature: Bool) -> [UInt8] {
        var writer = ByteWriter()
        if hasSignature { writer.littleEndian(DataDescriptor.signature) }
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

    func centralHeader() -> [UInt8] {
        let hasFarOffset = headerOffset >= UInt32.max
        let large =
            (isZip64 ? [size, compressedSize] : [])
            + (isZip64 || hasFarOffset ? [headerOffset] : [])
        var writer = ByteWriter()
        writer.littleEndian(CentralHeader.signature)
        writer.littleEndian(Self.unixHost | (large.isEmpty ? 20 : 45))
        appendCommon(to: &writer, crc32: crc32)
        writer.littleEndian(isZip64 ? .max : UInt32(clamping: compressedSize))
        writer.littleEndian(isZip64 ? .max : UInt32(clamping: size))
        writer.littleEndian(UInt16(clamping: path.utf8.count))
        writer.littleEndian(UInt16(large.isEmpty ? 0 : 4 + 8 * large.count))
        writer.littleEndian(0 as UInt16)
        writer.littleEndian(0 as UInt16)
        writer.littleEndian(0 as UInt16)
        writer.littleEndian(UInt32(mode) << 16 | (isFolder ? 0x10 : 0))
        writer.littleEndian(isZip64 ? .max : UInt32(clamping: headerOffset))
        writer.append(path.utf8)
        if !large.isEmpty { ExtraFields.appendZip64(large, to: &writer) }
        return writer.bytes
    }

    /// The fields common to both headers, from the version to the checksum.
    private func appendCommon(to writer: inout ByteWriter, crc32: UInt32) {
        let (utf8, descriptor) = Self.utf8AndDescriptor
        writer.littleEndian(version)
        writer.littleEndian(utf8 | (hasDescriptor ? descriptor : 0))
        writer.littleEndian(method.rawValue)
        writer.littleEndian(moment)
        writer.littleEndian(crc32)
    }
}

/// The end records in the form that ``ZipWriter`` writes.
struct WrittenEnd {
    let entryCount: Int
    let directoryOffset: Int
    let directorySize: Int
    let isZip64: Bool
    let comment: [UInt8]

    func bytes() -> [UInt8] {
        let needsZip64 =
            entryCount >= UInt16.max || max(directoryOffset, directorySize) >= UInt32.max
        var writer = ByteWriter()
        if isZip64 || needsZip64 { appendZip64(to: &writer) }
        writer.littleEndian(EndOfCentralDirectory.signature)
        writer.littleEndian(0 as UInt32)
        writer.littleEndian(isZip64 ? .max : UInt16(clamping: entryCount))
        writer.littleEndian(isZip64 ? .max : UInt16(clamping: entryCount))
        writer.littleEndian(isZip64 ? .max : UInt32(clamping: directorySize))
        writer.littleEndian(isZip64 ? .max : UInt32(clamping: directoryOffset))
        writer.littleEndian(UInt16(clamping: comment.count))
        writer.append(comment)
        return writer.bytes
    }

    private func appendZip64(to writer: inout ByteWriter) {
        writer.littleEndian(EndOfCentralDirectory.zip64Signature)
        writer.littleEndian(UInt64(EndOfCentralDirectory.zip64Size - 12))
        writer.littleEndian(3 << 8 | 45 as UInt16)
        writer.littleEndian(45 as UInt16)
        writer.littleEndian(0 as UInt64)
        writer.littleEndian(UInt64(entryCount))
        writer.littleEndian(UInt64(entryCount))
        writer.littleEndian(UInt64(directorySize))
        writer.littleEndian(UInt64(directoryOffset))
        writer.littleEndian(EndOfCentralDirectory.locatorSignature)
        writer.littleEndian(0 as UInt32)
        writer.littleEndian(UInt64(directoryOffset + directorySize))
        writer.littleEndian(1 as UInt32)
    }
}
