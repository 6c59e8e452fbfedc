import Bytes

/// Joins several slices to one file, each on a 16 KiB boundary (`mach-o/fat.h`).
package enum UniversalBinary {
    /// A single slice unchanged; otherwise a universal file.
    package static func joining(_ slices: [(architecture: Architecture, bytes: [UInt8])]) -> [UInt8]
    {
        guard slices.count != 1 else { return slices[0].bytes }
        var writer = ByteWriter()
        writer.bigEndian(0xcafe_babe as UInt32)
        writer.bigEndian(UInt32(slices.count))
        var offset = MachOBuilder.pageSize
        for slice in slices {
            writer.bigEndian(slice.architecture.cpuType)
            writer.bigEndian(slice.architecture.cpuSubtype)
            writer.bigEndian(UInt32(offset))
            writer.bigEndian(UInt32(slice.bytes.count))
            writer.bigEndian(14 as UInt32)
            offset = MachOBuilder.pages(offset + slice.bytes.count)
        }
        for slice in slices {
            writer.pad(to: MachOBuilder.pageSize)
            writer.append(slice.bytes)
        }
        return writer.bytes
    }
}
