/// The token of a challenge (RFC 8555 section 8.1).
enum ACMEToken {
    static let longest = 512

    /// - Returns: nil for a text that is not base64url, which might contain a path.
    static func checked(_ text: String?) -> String? {
        guard let text, (1...longest).contains(text.utf8.count) else { return nil }
        let isPlain = text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                true
            default: false
            }
        }
        return isPlain ? text : nil
    }
}
