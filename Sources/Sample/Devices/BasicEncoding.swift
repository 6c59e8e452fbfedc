import Bytes
import SwiftASN1

/// Encodes signed messages as streaming encoders do, in BER (X.690 section 8.1.3.6).
enum BasicEncoding {
    /// The size of the pieces of the content in bytes.
    private static let piece = 256
    private static let end: [UInt8] = [0, 0]

    /// Gives indefinite lengths to the elements around the content; certificates and the signature, whose
    /// bytes must not change, are kept.
    static func indefinite(_ message: [UInt8]) throws -> [UInt8] {
        // ContentInfo, [0], SignedData
        let info = try children(of: message)
        let signedData = try children(of: try children(of: info[1])[0])
        let parts = try signedData.enumerated().map { index, part in
            index == 2 ? try streamed(part) : part
        }
        let body = open(0x30, parts)
        return open(0x30, [info[0], open(0xa0, [body])])
    }

    /// EncapsulatedContentInfo with its OCTET STRING in pieces.
    private static func streamed(_ encapsulated: [UInt8]) throws -> [UInt8] {
        let fields = try children(of: encapsulated)
        let string = try DER.parse(try children(of: fields[1])[0])
        let content = Array(try ASN1OctetString(derEncoded: string).bytes)
        let pieces = stride(from: 0, to: content.count, by: piece).map { start in
            let part = content[start..<min(start + piece, content.count)]
            return [UInt8](arrayLiteral: 0x04, 0x82) + [UInt8(part.count >> 8)]
                + [UInt8(part.count & 0xff)] + part
        }
        return open(0x30, [fields[0], open(0xa0, [open(0x24, pieces)])])
    }

    private static func open(_ tag: UInt8, _ parts: [[UInt8]]) -> [UInt8] {
        [tag, 0x80] + parts.joined() + end
    }

    private static func children(of element: [UInt8]) throws -> [[UInt8]] {
        guard case .constructed(let nodes) = try DER.parse(element).content else {
            throw MalformedBytes("element", at: 0, .invalid("has no elements in it"))
        }
        return nodes.map { Array($0.encodedBytes) }
    }
}
