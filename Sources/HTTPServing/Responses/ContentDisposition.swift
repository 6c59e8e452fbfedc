/// The `Content-Disposition` field, which names a file for the browser that saves it (RFC 6266).
package enum ContentDisposition {
    /// UTF-8 bytes kept of a name; file systems allow 255.
    private static let limit = 200

    /// Returns the field for a file that is saved rather than shown.
    ///
    /// `filename` contains only letters, digits, dots, hyphens and underscores, so that no name ends the
    /// field or leaves the folder; `filename*` (RFC 8187) is added if that changes the name.
    ///
    /// - Parameters:
    ///   - name: the file's name without its extension; any text.
    ///   - fileExtension: the extension, in letters.
    /// - Returns: the value of `Content-Disposition`.
    package static func attachment(named name: String, extension fileExtension: String) -> String {
        let cleaned = cleaned(name)
        let plain = plain(cleaned)
        let field = "attachment; filename=\"\(plain).\(fileExtension)\""
        guard plain != cleaned else { return field }
        return field + "; filename*=UTF-8''\(encoded("\(cleaned).\(fileExtension)"))"
    }

    /// Returns a name that is valid on every file system: path separators, reserved characters and
    /// invisible characters become hyphens.
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

    /// Percent-encodes a name as an `ext-value` of RFC 8187.
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
