import Bytes

/// How testers give feedback about an app.
package enum FeedbackWay: TextCoded, Sendable, Equatable {
    /// Not at all.
    case off
    /// With this server's form.
    case form
    /// With another page or by e-mail: an `https:` or `mailto:` URL.
    case link(String)

    /// The maximum length of a URL in bytes.
    package static let longestLink = 500

    package static let kindOfText =
        "off, form, or a link that begins with https:// or mailto:, at most \(longestLink) bytes"

    package init?(_ text: String) {
        switch text {
        case "off": self = .off
        case "form": self = .form
        default:
            guard text.utf8.count <= Self.longestLink, text.utf8.allSatisfy(Self.isAllowed),
                Self.hasTarget(text)
            else { return nil }
            self = .link(text)
        }
    }

    package var description: String {
        switch self {
        case .off: "off"
        case .form: "form"
        case .link(let url): url
        }
    }

    /// Whether a byte may occur in a URL (RFC 3986 2).
    private static func isAllowed(_ byte: UInt8) -> Bool {
        (0x21...0x7E).contains(byte) && !Array("\"<>\\^`{|}".utf8).contains(byte)
    }

    /// Whether `https://` is followed by a host, or `mailto:` by an address.
    private static func hasTarget(_ text: String) -> Bool {
        if text.hasPrefix("https://") {
            let host = text.dropFirst(8).prefix { !"/?#".contains($0) }
            return !host.isEmpty && !host.contains("@") && host.first != "."
        }
        guard text.hasPrefix("mailto:") else { return false }
        let address = text.dropFirst(7).prefix { $0 != "?" }.split(
            separator: "@",
            omittingEmptySubsequences: false,
        )
        return address.count == 2 && address.allSatisfy { !$0.isEmpty }
    }
}
