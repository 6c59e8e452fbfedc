import Bytes

/// The elements of Apple's `PropertyList-1.0.dtd`.
///
/// The raw value is the element's name: its ASCII bytes as a big-endian number, so that a tag is
/// recognised without allocating a string.
enum XMLElement: UInt64 {
    case plist = 0x70_6C69_7374
    case dict = 0x6469_6374
    case array = 0x61_7272_6179
    case key = 0x6B_6579
    case string = 0x7374_7269_6E67
    case integer = 0x69_6E74_6567_6572
    case real = 0x7265_616C
    case `true` = 0x7472_7565
    case `false` = 0x66_616C_7365
    case date = 0x6461_7465
    case data = 0x6461_7461

    init?(named name: ArraySlice<UInt8>) {
        guard name.count < 8 else { return nil }
        self.init(rawValue: name.bigEndianNumber)
    }

    var name: String {
        let digits = String(rawValue, radix: 16)
        return String(decoding: Hex.decode(digits) ?? [], as: UTF8.self)
    }
}

/// A tag, with everything between its angle brackets.
struct XMLTag {
    enum Form { case opening, closing, empty }

    let element: XMLElement
    let form: Form
    /// Its offset, for messages.
    let place: Int
}

extension XMLCursor {
    /// Skips whitespace and comments, and reads the tag after them.
    mutating func tag() throws(MalformedPropertyList) -> XMLTag {
        try skipSpace()
        let place = position
        guard let byte = next else { throw refusal("ends before its last closing tag") }
        guard byte == UInt8(ascii: "<") else { throw refusal("has text between its elements") }
        position += 1
        if next == UInt8(ascii: "?") { throw refusal("has a processing instruction", at: place) }
        let isClosing = skip(UInt8(ascii: "/"))
        let name = name()
        guard let element = XMLElement(named: name) else {
            let name = String(decoding: name.prefix(256), as: UTF8.self)
            throw refusal("has the unknown element \(Quoted(name))", at: place)
        }
        skipWhitespace()
        if element == .plist, !isClosing { try skipAttributes() }
        let isEmpty = !isClosing && skip(UInt8(ascii: "/"))
        guard skip(UInt8(ascii: ">")) else { throw refusal("has a malformed tag", at: place) }
        return XMLTag(
            element: element,
            form: isClosing ? .closing : isEmpty ? .empty : .opening,
            place: place,
        )
    }

    /// Reads the closing tag of `element`, which must be next.
    mutating func closingTag(of element: XMLElement) throws(MalformedPropertyList) {
        let place = position
        let tag = try tag()
        guard tag.element == element, tag.form == .closing else {
            throw refusal("does not close the element “\(element.name)”", at: place)
        }
    }

    private mutating func skipAttributes() throws(MalformedPropertyList) {
        while let byte = next, byte != UInt8(ascii: ">"), byte != UInt8(ascii: "/") {
            _ = try attribute(in: "tag")
            skipWhitespace()
        }
    }
}
