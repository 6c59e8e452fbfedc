extension XMLCursor {
    /// Reads the text of a string or key, up to its closing tag.
    ///
    /// Line ends are unchanged, as in CoreFoundation. A comment or an element inside the text is refused,
    /// because parsers treat it differently.
    mutating func text() throws(MalformedPropertyList) -> String {
        let start = position
        position = try endOfPlainText()
        if isAt("</") { return try decoded(bytes[start..<position]) }
        var text = Array(bytes[start..<position])
        while !isAt("</") {
            if next == UInt8(ascii: "&") {
                text.append(contentsOf: try reference())
            } else if isAt("<![CDATA[") {
                text.append(contentsOf: try literalSection())
            } else {
                throw refusal("has markup inside a text")
            }
            let plain = position
            position = try endOfPlainText()
            text.append(contentsOf: bytes[plain..<position])
        }
        return try decoded(text[...], at: start)
    }

    /// Reads the text of a number, a date or data, which has neither references nor markup.
    mutating func plainText() throws(MalformedPropertyList) -> ArraySlice<UInt8> {
        let start = position
        while position < bytes.count, bytes[position] != UInt8(ascii: "<") { position += 1 }
        guard isAt("</") else { throw refusal(isAtEnd ? Self.ending : "has markup inside a value") }
        return bytes[start..<position]
    }

    private static let ending = "ends inside an element"

    private func decoded(
        _ text: ArraySlice<UInt8>,
        at place: Int? = nil,
    ) throws(MalformedPropertyList) -> String {
        // Most texts are ASCII, and validating takes several times as long as copying.
        if text.allSatisfy({ $0 < 0x80 }) { return String(decoding: text, as: UTF8.self) }
        guard let decoded = String(validating: text, as: UTF8.self) else {
            throw refusal("has a text that is not UTF-8", at: place ?? text.startIndex)
        }
        return decoded
    }

    /// The index of the next `<` or `&`.
    private func endOfPlainText() throws(MalformedPropertyList) -> Int {
        let bytes = bytes
        var index = position
        while index < bytes.count {
            let byte = bytes[index]
            if byte == UInt8(ascii: "<") || byte == UInt8(ascii: "&") { return index }
            if byte < 0x20 || byte == 0xEF { try refuseForbidden(at: index) }
            index += 1
        }
        throw refusal(Self.ending, at: index)
    }

    /// Refuses characters that XML 1.0 (section 2.2) does not allow: most controls, U+FFFE and U+FFFF.
    private func refuseForbidden(at index: Int) throws(MalformedPropertyList) {
        let byte = bytes[index]
        if byte == 0xEF {
            guard index + 2 < bytes.count, bytes[index + 1] == 0xBF, bytes[index + 2] >= 0xBE else {
                return
            }
        } else if byte.isXMLWhitespace {
            return
        }
        throw refusal("has a character that XML does not allow", at: index)
    }

    private mutating func literalSection() throws(MalformedPropertyList) -> ArraySlice<UInt8> {
        let start = position
        position += "<![CDATA[".utf8.count
        let text = try take(through: "]]>", or: "has an unfinished CDATA section", from: start)
        for index in text.indices where bytes[index] < 0x20 || bytes[index] == 0xEF {
            try refuseForbidden(at: index)
        }
        return text
    }

    /// Reads `&name;` or `&#number;`; only XML's five predefined names exist.
    private mutating func reference() throws(MalformedPropertyList) -> [UInt8] {
        let start = position
        position += 1
        let first = position
        while let byte = next, byte != UInt8(ascii: ";") {
            guard position - first < 32, byte > 0x20, byte != UInt8(ascii: "<") else {
                throw refusal("has a bare ampersand", at: start)
            }
            position += 1
        }
        guard !isAtEnd else { throw refusal("has a bare ampersand", at: start) }
        let name = String(decoding: bytes[first..<position], as: UTF8.self)
        position += 1
        switch name {
        case "amp": return [UInt8(ascii: "&")]
        case "lt": return [UInt8(ascii: "<")]
        case "gt": return [UInt8(ascii: ">")]
        case "quot": return [UInt8(ascii: "\"")]
        case "apos": return [UInt8(ascii: "'")]
        default: break
        }
        guard name.hasPrefix("#") else {
            throw refusal("uses the undefined entity \(Quoted(name))", at: start)
        }
        guard let scalar = Self.scalar(numbered: name.dropFirst()) else {
            throw refusal("refers to no character with \(Quoted("&" + name))", at: start)
        }
        return Array(String(Character(scalar)).utf8)
    }

    private static func scalar(numbered digits: Substring) -> Unicode.Scalar? {
        let isHexadecimal = digits.hasPrefix("x")
        let digits = isHexadecimal ? digits.dropFirst() : digits
        guard digits.first != "+", digits.first != "-",
            let number = UInt32(digits, radix: isHexadecimal ? 16 : 10),
            let scalar = Unicode.Scalar(number)
        else { return nil }
        switch number {
        case 0x09, 0x0A, 0x0D, 0x20...0xFFFD, 0x1_0000...0x10_FFFF: return scalar
        default: return nil
        }
    }
}
