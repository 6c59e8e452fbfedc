import Bytes

/// A bundle identifier that is safe in a path, a URL and a manifest.
///
/// Apple allows letters, digits, hyphen and dot ("CFBundleIdentifier" in Information Property List), and
/// devices also accept an underscore. A component is never empty, so `..` cannot occur; installd accepts
/// up to 155 bytes.
package struct BundleIdentifier: Hashable, Sendable {
    package let rawValue: String

    /// - Returns: nil for a character outside `[A-Za-z0-9._-]`, a leading underscore, an empty component
    ///   or more than 155 bytes.
    package init?(_ text: String) {
        let bytes = text.utf8
        guard (1...155).contains(bytes.count), bytes.allSatisfy(Self.isAllowed),
            bytes.first != UInt8(ascii: "_")
        else { return nil }
        let components = text.split(separator: ".", omittingEmptySubsequences: false)
        guard components.allSatisfy({ !$0.isEmpty }) else { return nil }
        rawValue = text
    }

    /// Whether it has only characters that Apple documents: no underscore.
    package var isAsDocumented: Bool { !rawValue.utf8.contains(UInt8(ascii: "_")) }

    /// The components between the dots.
    package var components: [Substring] { rawValue.split(separator: ".") }

    /// The part after `host` and a dot; nil if this identifier does not begin with them.
    package func suffix(under host: BundleIdentifier) -> Substring? {
        guard rawValue.hasPrefix(host.rawValue + ".") else { return nil }
        return rawValue.dropFirst(host.rawValue.count + 1)
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "_"):
            true
        default:
            false
        }
    }
}

extension BundleIdentifier: CustomStringConvertible {
    package var description: String { rawValue }
}

extension BundleIdentifier: TextCoded {
    package static let kindOfText = "a bundle identifier such as com.example.app"
}
