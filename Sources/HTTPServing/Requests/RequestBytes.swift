/// The classes of bytes that the grammar of HTTP/1.1 distinguishes (RFC 9110 5.6, RFC 9112 2).
extension UInt8 {
    static let tab = UInt8(ascii: "\t")
    static let lineFeed = UInt8(ascii: "\n")
    static let carriageReturn = UInt8(ascii: "\r")
    static let space = UInt8(ascii: " ")

    var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
    var isUpperCase: Bool { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) }

    /// Whether the byte may be part of a field's value (RFC 9110 5.5): visible bytes, spaces and tabs.
    var isFieldText: Bool { self >= 0x20 && self != 0x7F || self == .tab }

    /// `tchar` of RFC 9110 5.6.2.
    var isToken: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "!"),
            UInt8(ascii: "#")...UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"),
            UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "^"), UInt8(ascii: "_"),
            UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "~"):
            true
        default:
            false
        }
    }
}

extension [UInt8] {
    /// The bytes without the spaces and tabs around them (`OWS`, RFC 9110 5.6.3).
    var trimmingWhitespace: ArraySlice<UInt8> {
        var slice = self[...]
        while let first = slice.first, first == .space || first == .tab { slice.removeFirst() }
        while let last = slice.last, last == .space || last == .tab { slice.removeLast() }
        return slice
    }
}
