import Bytes

/// Signed messages in the form that streaming encoders write (X.690 section 8.1.3.6).
enum BasicEncoding {
    /// The size of the pieces that content is cut into.
    private static let piece = 256
    private static let end: [UInt8] = [0, 0]

    /// Gives the elements around the content indefinite lengths; certificates and the signature,
    /// which others read bytes of, stay as they are.
    static func indefinite(_ message: [UInt8]) throws(MalformedBytes) -> [UInt8] {
        // ContentInfo, [0], SignedData
        let info = try children(of: message)
        let signedData = try children(of: try children(of: info[1])[0])
        let parts = try signedData.enumerated().map { index, part throws(MalformedBytes) in
            index == 2 ? try streamed(part) : part
        }
        let body = open(0x30, parts)
        return open(0x30, [info[0], open(0xa0, [body])])
    }

    /// EncapsulatedContentInfo with its OCTET STRING in pieces.
    private static func streamed(_ encapsulated: [UInt8]) throws(MalformedBytes) -> [UInt8] {
        let fields = try children(of: encapsulated)
        let string = try children(of: fields[1])[0]
        let content = try value(of: string)
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

    private static func children(of element: [UInt8]) throws(MalformedBytes) -> [[UInt8]] {
        var rest = try value(of: element)[...]
        var found: [[UInt8]] = []
        while !rest.isEmpty {
            let length = try header(of: rest)
            found.append(Array(rest.prefix(length.header + length.body)))
            rest = rest.dropFirst(length.header + length.body)
        }
        return found
    }

    private static func value(of element: [UInt8]) throws(MalformedBytes) -> [UInt8] {
        Array(element.dropFirst(try header(of: element[...]).header))
    }

    /// The sizes of a distinguished element's tag with length, and of its value.
    private static func header(
        of bytes: ArraySlice<UInt8>
    ) throws(MalformedBytes) -> (header: Int, body: Int) {
        let head = Array(bytes.prefix(6))
        guard head.count >= 2 else {
            throw MalformedBytes("element", at: bytes.startIndex, .invalid("is cut short"))
        }
        guard head[1] & 0x80 != 0 else { return (2, Int(head[1])) }
        let octets = head.dropFirst(2).prefix(Int(head[1] & 0x7f))
        return (2 + octets.count, octets.reduce(0) { $0 << 8 | Int($1) })
    }
}
