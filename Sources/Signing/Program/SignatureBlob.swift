import Bytes

/// The blobs of an embedded signature: magic, length and content, in big-endian order (xnu `cs_blobs.h`).
package enum SignatureBlob {
    package static func requirements(_ content: [UInt8]) -> [UInt8] {
        wrapping(content, 0xfade_0c01)
    }
    package static func requirement(_ content: [UInt8]) -> [UInt8] {
        wrapping(content, 0xfade_0c00)
    }
    package static func entitlements(xml: [UInt8]) -> [UInt8] { wrapping(xml, 0xfade_7171) }
    package static func entitlements(der: [UInt8]) -> [UInt8] { wrapping(der, 0xfade_7172) }
    package static func message(_ cms: [UInt8]) -> [UInt8] { wrapping(cms, 0xfade_0b01) }

    private static func wrapping(_ content: [UInt8], _ magic: UInt32) -> [UInt8] {
        var writer = ByteWriter()
        writer.bigEndian(magic)
        writer.bigEndian(UInt32(content.count + 8))
        writer.append(content)
        return writer.bytes
    }
}
