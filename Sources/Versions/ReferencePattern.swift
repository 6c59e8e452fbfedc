import Bytes

/// A pattern for tags or branches: a name, with `*` for any characters.
package struct ReferencePattern: Hashable, Sendable, TextCoded {
    package let description: String

    package static let kindOfText =
        "a pattern such as v* or release/*: 1 to 200 of a-z, A-Z, 0-9 and ._+-/@*, not beginning "
        + "with a hyphen"

    package init?(_ text: String) {
        guard (1...200).contains(text.utf8.count), text.first != "-",
            text.unicodeScalars.allSatisfy(Self.isAllowed)
        else { return nil }
        description = text
    }

    /// Whether it begins with `tags/`, `heads/` or `*`; no other pattern can match a reference.
    package var isOfReferences: Bool {
        ["tags/", "heads/", "*"].contains(where: description.hasPrefix)
    }

    package static let anything = Self(known: "*")

    private init(known text: String) {
        description = text
    }

    /// Whether a name matches the pattern.
    package func matches(_ name: String) -> Bool {
        Wildcard(description, crossing: true).matches(name)
    }

    /// Whether it can match a name that begins with `prefix`; the admin is warned about a setting that
    /// matches none.
    package func canMatch(namesBeginningWith prefix: String) -> Bool {
        var rest = Array(prefix.utf8)[...]
        for byte in description.utf8 {
            guard let next = rest.first, byte != UInt8(ascii: "*") else { return true }
            guard next == byte else { return false }
            rest = rest.dropFirst()
        }
        return rest.isEmpty
    }

    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", ".", "_", "+", "-", "/", "@", "*": true
        default: false
        }
    }
}

extension Sequence<ReferencePattern> {
    package func match(_ name: String) -> Bool {
        contains { $0.matches(name) }
    }
}
