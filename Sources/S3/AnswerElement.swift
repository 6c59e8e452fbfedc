import Bytes

/// An element of an XML response: its text and children, without attributes and namespaces.
///
/// The parser supports only the small part of XML 1.0 that S3 responses use. It limits depth and number of
/// elements, and rejects document type declarations, so that no external entities are resolved.
struct AnswerElement: Equatable {
    let name: String
    private(set) var text = ""
    private(set) var children: [AnswerElement] = []

    /// The first child with a name.
    subscript(_ name: String) -> AnswerElement? { children.first { $0.name == name } }

    /// The text of the first child with a name.
    func text(_ name: String) -> String? { self[name]?.text }

    func all(_ name: String) -> [AnswerElement] { children.filter { $0.name == name } }

    /// - Returns: the root element; nil for anything but a well-formed document.
    static func document(_ bytes: [UInt8]) -> AnswerElement? {
        var reader = AnswerReader(bytes)
        return reader.document()
    }

    fileprivate init(name: String) {
        self.name = name
    }

    fileprivate mutating func add(_ child: AnswerElement) { children.append(child) }

    fileprivate mutating func setText(_ text: String) { self.text = text }
}

private struct AnswerReader {
    private var rest: ArraySlice<UInt8>
    private var elements = 0

    /// Enough for a page of a list, which has a thousand keys with about ten elements each.
    private static let mostElements = 40_000
    private static let mostLevels = 12

    init(_ bytes: [UInt8]) {
        rest = bytes[...]
    }

    mutating func document() -> AnswerElement? {
        if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3) }
        guard skipMarkup(), let root = element(at: 0), skipMarkup(), rest.isEmpty else {
            return nil
        }
        return root
    }

    /// Skips white space, XML declarations and comments between elements.
    private mutating func skipMarkup() -> Bool {
        while true {
            rest = rest.drop(while: Self.isSpace)
            if rest.starts(with: "<?".utf8) {
                guard skip(past: "?>") else { return false }
            } else if rest.starts(with: "<!--".utf8) {
                guard skip(past: "-->") else { return false }
            } else {
                return true
            }
        }
    }

    private mutating func skip(past end: String) -> Bool {
        guard let found = rest.firstRange(of: Array(end.utf8)) else { return false }
        rest = rest[found.upperBound...]
        return true
    }

    private mutating func element(at level: Int) -> AnswerElement? {
        elements += 1
        guard level < Self.mostLevels, elements <= Self.mostElements,
            rest.popFirst() == UInt8(ascii: "<"), let close = rest.firstIndex(of: UInt8(ascii: ">"))
        else { return nil }
        var tag = rest[..<close]
        rest = rest[(close + 1)...]
        let isEmpty = tag.last == UInt8(ascii: "/")
        if isEmpty { tag = tag.dropLast() }
        let name = tag.prefix { !Self.isSpace($0) }
        guard !name.isEmpty, name.count <= 100, name.allSatisfy(Self.isNameByte) else { return nil }
        var element = AnswerElement(name: String(decoding: name, as: UTF8.self))
        if isEmpty { return element }
        var text: [UInt8] = []
        while true {
            guard let next = rest.firstIndex(of: UInt8(ascii: "<")) else { return nil }
            guard Self.append(rest[..<next], to: &text) else { return nil }
            rest = rest[next...]
            if rest.starts(with: "</".utf8) {
                let end = Array("</".utf8) + name
                guard rest.starts(with: end) else { return nil }
                rest = rest.dropFirst(end.count).drop(while: Self.isSpace)
                guard rest.popFirst() == UInt8(ascii: ">"),
                    let plain = String(validating: text, as: UTF8.self)
                else { return nil }
                element.setText(plain)
                return element
            } else if rest.starts(with: "<!--".utf8) {
                guard skip(past: "-->") else { return nil }
            } else {
                guard let child = self.element(at: level + 1) else { return nil }
                element.add(child)
            }
        }
    }

    /// Appends text with its character references resolved; false for an unknown reference.
    private static func append(_ raw: ArraySlice<UInt8>, to text: inout [UInt8]) -> Bool {
        var raw = raw
        while let byte = raw.popFirst() {
            guard byte == UInt8(ascii: "&") else {
                text.append(byte)
                continue
            }
            guard let end = raw.prefix(10).firstIndex(of: UInt8(ascii: ";")),
                let resolved = character(of: String(decoding: raw[..<end], as: UTF8.self))
            else { return false }
            text += Array(String(Character(resolved)).utf8)
            raw = raw[(end + 1)...]
        }
        return true
    }

    private static func character(of reference: String) -> Unicode.Scalar? {
        switch reference {
        case "amp": "&"
        case "lt": "<"
        case "gt": ">"
        case "quot": "\""
        case "apos": "'"
        case _ where reference.hasBytes(first: "#x"):
            UInt32(reference.dropFirst(2), radix: 16).flatMap(Unicode.Scalar.init)
        case _ where reference.hasBytes(first: "#"):
            UInt32(reference.dropFirst()).flatMap(Unicode.Scalar.init)
        default: nil
        }
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        PercentEncoding.isUnreserved(byte) || byte == UInt8(ascii: ":")
    }
}
