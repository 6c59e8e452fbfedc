extension APIToken {
    /// Replaces every token in a text, because an error response may repeat the request.
    ///
    /// Every JSON Web Token begins with `{"` in base64url, which is `eyJ`.
    static func masked(in text: String) -> String {
        var rest = Array(text.utf8)[...]
        var shown: [UInt8] = []
        while let found = rest.firstRange(of: Array("eyJ".utf8)) {
            let token = rest[found.lowerBound...].prefix(while: isPart)
            shown += rest[..<found.lowerBound]
            // Shorter than any token: an ordinary word.
            shown += token.count < 16 ? Array(token) : Array("(token)".utf8)
            rest = rest[token.endIndex...]
        }
        return String(decoding: shown + rest, as: UTF8.self)
    }

    /// Characters of base64 in either alphabet, and the dots between the parts.
    private static func isPart(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "_"),
            UInt8(ascii: "."), UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="):
            true
        default: false
        }
    }
}
