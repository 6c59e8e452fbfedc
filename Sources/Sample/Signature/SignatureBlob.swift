import Bytes

/// A part of an embedded signature: magic, length, content, all big-endian (xnu `cs_blobs.h`).
enum SignatureBlob {
    static func requirements(_ content: [UInt8]) -> [UInt8] { wrapping(content, 0xfade_0c01) }
    static func requirement(_ content: [UInt8]) -> [UInt8] { wrapping(content, 0xfade_0c00) }
    static func entitlements(xml: [UInt8]) -> [UInt8] { wrapping(xml, 0xfade_7171) }
    static func entitlements(der: [UInt8]) -> [UInt8] { wrapping(der, 0xfade_7172) }
    static func message(_ cms: [UInt8]) -> [UInt8] { wrapping(cms, 0xfade_0b01) }

    private static func wrapping(_ content: [UInt8], _ magic: UInt32) -> [UInt8] {
        var writer = ByteWriter()
        writer.bigEndian(magic)
        writer.bigEndian(UInt32(content.count + 8))
        writer.append(content)
        return writer.bytes
    }
}

/// Where a blob stands in the index of the super blob.
package enum SignatureSlot {
    package static let codeDirectory: UInt32 = 0
    package static let requirements: UInt32 = 2
    package static let entitlements: UInt32 = 5
    package static let derEntitlements: UInt32 = 7
    package static let alternateCodeDirectory: UInt32 = 0x1000
    package static let message: UInt32 = 0x10000
}

/// The whole embedded signature: an index, then the blobs in its order.
package struct SuperBlob: Sendable {
    package var blobs: [(slot: UInt32, bytes: [UInt8])]

    package init(_ blobs: [(slot: UInt32, bytes: [UInt8])]) {
        self.blobs = blobs
    }

    package var bytes: [UInt8] {
        let header = 12 + 8 * blobs.count
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
