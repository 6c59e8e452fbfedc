import Bytes

extension TokenSecret {
    /// Returns a text in which the secret part of each token is masked, and its identifier stays.
    package static func masked(in text: String) -> String {
        guard text.containsBytes(of: Self.prefix) else { return text }
        var rest = Array(text.utf8)[...]
        var shown: [UInt8] = []
        while let prefix = rest.firstRange(ofBytes: Self.prefix.utf8) {
            shown += rest[..<prefix.upperBound]
            rest = rest[prefix.upperBound...]
            let identifier = rest.prefix(9)
            let secret = rest.dropFirst(9).prefix(while: isDigit)
            guard identifier.last == UInt8(ascii: "_"), !secret.isEmpty else { continue }
            shown += Array(identifier) + Array("…".utf8)
            rest = rest[secret.endIndex...]
        }
        return String(decoding: shown + rest, as: UTF8.self)
    }

    /// Whether a byte is a hexadecimal digit, in either case.
    private static func isDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
            UInt8(ascii: "A")...UInt8(ascii: "F"):
            true
        default: false
        }
    }
}
