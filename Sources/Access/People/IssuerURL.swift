import Bytes

/// The issuer of an OpenID provider (OpenID Connect Core, section 2): an `https` URL without query and
/// fragment.
///
/// Issuers are compared byte by byte: a trailing slash makes a different issuer.
package struct IssuerURL: Hashable, Sendable {
    /// The longest URL, in bytes.
    private static let limit = 512

    package let text: String

    /// - Returns: nil for a text that is not such a URL.
    package init?(_ text: String) {
        guard Self.isSecure(text), !text.utf8.contains(where: { "?#".utf8.contains($0) }) else {
            return nil
        }
        self.text = text
    }

    /// The host and, if given, the port, for display.
    package var host: String {
        String(text.dropFirst("https://".count).prefix(beforeByte: "/"))
    }

    /// Whether a text is an absolute `https` URL of printable ASCII without user information, of at most
    /// 512 bytes.
    package static func isSecure(_ text: String) -> Bool {
        guard text.utf8.count <= limit, text.hasBytes(first: "https://"),
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { return false }
        let rest = text.utf8.dropFirst("https://".utf8.count)
        let authority = rest.prefix { !"/?#".utf8.contains($0) }
        return !authority.isEmpty && !rest.contains { "\"<>\\^`{|}".utf8.contains($0) }
            && authority.allSatisfy { byte in
                Hex.value(of: byte) != nil || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                    || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
                    || ".-_:[]".utf8.contains(byte)
            }
    }
}

extension IssuerURL: TextCoded {
    package var description: String { text }
    package static let kindOfText = "the https URL of a provider, such as https://id.example.com"
}
