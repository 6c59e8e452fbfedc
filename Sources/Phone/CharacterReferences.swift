/// HTML character references, as far as URLs need them.
enum CharacterReferences {
    /// Decodes numeric references and the named ones that occur in URLs; others are unchanged.
    static func decoded(_ bytes: some Sequence<UInt8>) -> String {
        let text = String(decoding: Array(bytes), as: UTF8.self)
        var result = ""
        var rest = text[...]
        while let ampersand = rest.firstIndex(of: "&") {
            result += rest[..<ampersand]
            rest = rest[ampersand...]
            if let semicolon = rest.prefix(12).firstIndex(of: ";"),
                let character = character(rest[rest.index(after: ampersand)..<semicolon])
            {
                result.unicodeScalars.append(character)
                rest = rest[rest.index(after: semicolon)...]
            } else {
                result.append("&")
                rest = rest.dropFirst()
            }
        }
        return result + rest
    }

    private static func character(_ name: Substring) -> Unicode.Scalar? {
        guard name.first == "#" else { return named[String(name)] }
        let digits = name.dropFirst()
        let isHexadecimal = digits.first == "x" || digits.first == "X"
        return UInt32(isHexadecimal ? digits.dropFirst() : digits, radix: isHexadecimal ? 16 : 10)
            .flatMap(Unicode.Scalar.init)
    }

    private static let named: [String: Unicode.Scalar] = [
        "amp": "&", "AMP": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "colon": ":",
        "sol": "/", "quest": "?", "equals": "=", "num": "#", "percnt": "%", "period": ".",
        "lowbar": "_", "comma": ",", "plus": "+", "nbsp": "\u{a0}",
    ]
}
