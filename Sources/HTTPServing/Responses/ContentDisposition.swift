/// The field that names a file for the browser that saves it (RFC 6266).
package enum ContentDisposition {
    /// Bytes of UTF-8 that a name keeps; file systems take 255.
    private static let limit = 200

    /// A file that is saved instead of shown.
    ///
    /// `filename` has letters, digits, dots, hyphens and underscores only, so that no name ends the field or
    /// leaves the folder; `filename*` (RFC 8187) follows where that loses something.
    ///
    /// - Parameters:
    ///   - name: of the file, without its extension; any text.
    ///   - fileExtension: letters.
    /// - Returns: the value of `Content-Disposition`.
    package static func attachment(named name: String, extension fileExtension: String) -> String {
        let cleaned = cleaned(name)
        let plain = plain(cleaned)
        let field = "attachment; filename=\"\(plain).\(fileExtension)\""
        guard plain != cleaned else { return field }
        return field + "; filename*=UTF-8''\(encoded("\(cleaned).\(fileExtension)"))"
    }

    /// One line that is a name on every file system: what separates folders, and what cannot be seen, is a
    /// hyphen.
    private static func cleaned(_ name: String) -> String {
        var result = ""
        for scalar in name.unicodeScalars {
            let isNamed =
                !scalar.properties.isWhitespace && !#"/\:*?"<>|"#.unicodeScalars.contains(scalar)
                && !unseen.contains(scalar.properties.generalCategory)
            let piece = isNamed ? String(Character(scalar)) : "-"
            if piece == "-", result.hasSuffix("-") { continue }
            guard result.utf8.count + piece.utf8.count <= limit else { break }
            result += piece
        }
        while result.unicodeScalars.first == "." || result.unicodeScalars.first == "-" {
            result.unicodeScalars.removeFirst()
        }
        return result.isEmpty ? "file" : result
    }

    private static let unseen: Set<Unicode.GeneralCategory> = [
        .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator,
        .paragraphSeparator,
    ]

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "."), UInt8(ascii: "-"),
            UInt8(ascii: "_"):
            true
        default: false
        }
    }

    private static func plain(_ name: String) -> String {
        var result = ""
        for scalar in name.unicodeScalars {
            let piece =
                scalar.isASCII && isPlain(UInt8(scalar.value)) ? String(Character(scalar)) : "-"
            if piece == "-", result.hasSuffix("-") { continue }
            result += piece
        }
        return result
    }

    /// As `ext-value` has it.
    private static func encoded(_ name: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var result: [UInt8] = []
        for byte in name.utf8 {
            if isPlain(byte) {
                result.append(byte)
            } else {
                result += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}
