import Bytes

/// The embedded signature: an index, then the blobs in the same order.
package struct SuperBlob: Sendable {
    package var blobs: [(slot: UInt32, bytes: [UInt8])]

    package init(_ blobs: [(slot: UInt32, bytes: [UInt8])]) {
        self.blobs = blobs
    }

    /// The number of bytes before the first blob.
    static func indexSize(count: Int) -> Int { 12 + 8 * count }

    package var bytes: [UInt8] {
        let header = Self.indexSize(count: blobs.count)
        var writer = ByteWriter()
        writer.bigEndian(0xfade_0cc0 as UInt32)
        writer.bigEndian(UInt32(blobs.reduce(header) { $0 + $1.bytes.count }))
        writer.bigEndian(UInt32(blobs.count))
        var offset = header
        for blob in blobs {
            writer.bigEndian(blob.slot)
            writer.bigEndian(UInt32(offset))
            offset += blob.bytes.count
        }
        for blob in blobs { writer.append(blob.bytes) }
        return writer.bytes
    }
}
