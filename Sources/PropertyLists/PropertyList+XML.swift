import Essentials

extension PropertyList {
    /// The key for a UID in XML, which has no element for one.
    static let uidKey = "CF$UID"

    /// Encodes the XML form, formatted as by Apple's tools, with sorted keys: equal trees give equal
    /// bytes.
    ///
    /// A character that XML 1.0 does not allow becomes U+FFFD, and fractions of a second are dropped;
    /// nothing else is lost.
    package func xml() -> [UInt8] {
        var writer = XMLPropertyListWriter()
        writer.append(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" \
            "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
            <plist version="1.0">

            """
        )
        writer.append(self, indentation: 0)
        writer.append("</plist>\n")
        return writer.bytes
    }

    /// The pairs of a dictionary, sorted by the bytes of their keys.
    static func sorted(
        _ dictionary: [String: PropertyList]
    ) -> [(key: String, value: PropertyList)] {
        dictionary.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    }
}

private struct XMLPropertyListWriter {
    private(set) var bytes: [UInt8] = []

    mutating func append(_ text: String) {
        bytes.append(contentsOf: text.utf8)
    }

    mutating func append(_ value: PropertyList, indentation: Int) {
        switch value {
        case .string(let text): element("string", text, indentation)
        case .integer(let number): element("integer", String(number), indentation)
        case .unsigned(let number): element("integer", String(number), indentation)
        case .real(let number): element("real", Self.spelling(of: number), indentation)
        case .boolean(let flag): line(flag ? "<true/>" : "<false/>", indentation)
        case .date(let date): element("date", CivilTime.spelling(of: date), indentation)
        case .data(let data): append(data: data, indentation)
        case .array(let elements): append(elements, indentation)
        case .dictionary(let pairs): append(PropertyList.sorted(pairs), indentation)
        case .uid(let number):
            let number =
                Int64(exactly: number).map { .integer($0) } ?? PropertyList.unsigned(number)
            append([(key: PropertyList.uidKey, value: number)], indentation)
        }
    }

    private mutating func append(_ elements: [PropertyList], _ indentation: Int) {
        guard !elements.isEmpty else { return line("<array/>", indentation) }
        line("<array>", indentation)
        for element in elements { append(element, indentation: indentation + 1) }
        line("</array>", indentation)
    }

    private mutating func append(
        _ pairs: [(key: String, value: PropertyList)],
        _ indentation: Int,
    ) {
        guard !pairs.isEmpty else { return line("<dict/>", indentation) }
        line("<dict>", indentation)
        for (key, value) in pairs {
            element("key", key, indentation + 1)
            append(value, indentation: indentation + 1)
        }
        line("</dict>", indentation)
    }

    /// Breaks the base64 into lines of 76 columns, counting a tab as eight, as Apple does.
    private mutating func append(data: [UInt8], _ indentation: Int) {
        line("<data>", indentation)
        let digits = Array(Data(data).base64EncodedData())
        let width = 76 - 8 * min(indentation, 8)
        for start in stride(from: 0, to: digits.count, by: width) {
            indent(indentation)
            bytes.append(contentsOf: digits[start..<min(start + width, digits.count)])
            append("\n")
        }
        line("</data>", indentation)
    }

    private mutating func element(_ name: String, _ text: String, _ indentation: Int) {
        indent(indentation)
        append("<\(name)>")
        append(escaping: text)
        append("</\(name)>\n")
    }

    private mutating func line(_ text: String, _ indentation: Int) {
        indent(indentation)
        append(text)
        append("\n")
    }

    private mutating func indent(_ count: Int) {
        bytes.append(contentsOf: repeatElement(UInt8(ascii: "\t"), count: count))
    }

    /// A carriage return is escaped because XML parsers convert a bare one to a line feed.
    private mutating func append(escaping text: String) {
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": append("&amp;")
            case "<": append("&lt;")
            case ">": append("&gt;")
            case "\r": append("&#13;")
            case "\t", "\n": bytes.append(contentsOf: UTF8.encode(scalar) ?? .init())
            case "\0"..<" ", "\u{FFFE}", "\u{FFFF}": append("\u{FFFD}")
            default: bytes.append(contentsOf: UTF8.encode(scalar) ?? .init())
            }
        }
    }

    private static func spelling(of number: Double) -> String {
        if number.isNaN { return "nan" }
        if number.isInfinite { return number < 0 ? "-infinity" : "+infinity" }
        // Whole numbers are formatted as by Apple, so that seals are identical to codesign's; a negative
        // zero would lose its sign.
        guard let whole = Int64(exactly: number), whole != 0 || number.sign == .plus else {
            return "\(number)"
        }
        return "\(whole)"
    }
}
