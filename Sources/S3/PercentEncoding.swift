import Bytes

/// The percent-encoding of paths and queries in AWS Signature Version 4: all bytes but the unreserved ones
/// of RFC 3986, with upper-case hexadecimal digits.
///
/// [Source](https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html).
enum PercentEncoding {
    private static let digits = Array("0123456789ABCDEF".utf8)

    /// Encodes a key but keeps its slashes.
    static func path(_ key: String) -> String { encoded(key, keeping: UInt8(ascii: "/")) }

    /// Encodes a name or value of a query.
    static func component(_ text: String) -> String { encoded(text, keeping: nil) }

    /// Encodes a query in the order required by signatures: by name, then by value, bytewise.
    static func query(_ items: [(name: String, value: String)]) -> String {
        items.map { (component($0.name), component($0.value)) }
            .sorted { left, right in
                left.0 == right.0
                    ? left.1.utf8.lexicographicallyPrecedes(right.1.utf8)
                    : left.0.utf8.lexicographicallyPrecedes(right.0.utf8)
            }
            .map { "\($0.0)=\($0.1)" }
            .joined(separator: "&")
    }

    /// Decodes a key in a response with `encoding-type=url`; nil if it is malformed.
    static func decoded(_ text: String) -> String? {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "+"): bytes.append(UInt8(ascii: " "))
            case UInt8(ascii: "%"):
                guard let high = rest.popFirst().flatMap(Hex.value),
                    let low = rest.popFirst().flatMap(Hex.value)
                else { return nil }
                bytes.append(high << 4 | low)
            default: bytes.append(byte)
            }
        }
        return String(validating: bytes, as: UTF8.self)
    }

    static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "_"), UInt8(ascii: "~"):
            true
        default: false
        }
    }

    private static func encoded(_ text: String, keeping kept: UInt8?) -> String {
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            if isUnreserved(byte) || byte == kept {
                bytes.append(byte)
            } else {
                bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
