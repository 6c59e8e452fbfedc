import Bytes

/// An app's name in URLs: lower-case letters, digits and single hyphens, at most 63 characters.
package struct Slug: Hashable, Sendable, TextCoded {
    package let rawValue: String

    package init?(_ text: String) {
        let isPlain = text.utf8.allSatisfy { Self.isLetterOrDigit($0) || $0 == UInt8(ascii: "-") }
        guard isPlain, (1...63).contains(text.utf8.count), !text.hasPrefix("-"),
            !text.hasSuffix("-"), !text.contains("--")
        else { return nil }
        rawValue = text
    }

    /// Derives the default slug from the title, or from the last component of the identifier when the
    /// title has no Latin letter or digit.
    package init(title: String, identifier: BundleIdentifier) {
        let lastPart = identifier.rawValue.split(separator: ".").last.map(String.init) ?? "app"
        self = Self(Self.simplify(title)) ?? Self(Self.simplify(lastPart)) ?? Self.fallback
    }

    /// The slug with a number, for another app with the same title.
    package func numbered(_ number: Int) -> Slug {
        let suffix = "-\(number)"
        return Slug(Self.trimmed(rawValue, to: 63 - suffix.count) + suffix) ?? self
    }

    package static let kindOfText =
        "a URL name: 1 to 63 of a-z, 0-9 and single hyphens between them"

    package var description: String { rawValue }

    private init(unchecked text: String) {
        rawValue = text
    }

    private static let fallback = Slug(unchecked: "app")

    private static func simplify(_ text: String) -> String {
        let parts = text.lowercased().utf8
            .split { !isLetterOrDigit($0) }
            .map { String(decoding: $0, as: UTF8.self) }
        return trimmed(parts.joined(separator: "-"), to: 63)
    }

    private static func trimmed(_ text: String, to count: Int) -> String {
        let text = text.prefix(count)
        return String(text.hasSuffix("-") ? text.dropLast() : text)
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
            || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}
