import Bytes

/// An application identifier as a profile grants it: `ABCDE12345.com.example.app`, or a pattern
/// that ends in `*`.
package struct ApplicationIdentifier: Hashable, Sendable, CustomStringConvertible {
    package let rawValue: String

    package init(_ rawValue: String) {
        self.rawValue = rawValue
    }

    /// What stands before the first dot: the team, or an older account's own prefix.
    package var prefix: Substring { rawValue.prefix(beforeByte: ".") }

    /// What stands after it: a bundle identifier, or a pattern.
    package var pattern: Substring {
        guard let dot = rawValue.firstIndex(ofByte: ".") else { return "" }
        return rawValue[rawValue.utf8.index(after: dot)...]
    }

    package var isWildcard: Bool { pattern.hasBytes(last: "*") }

    /// Whether an app of this bundle identifier may carry the profile (TN3125).
    package func grants(_ bundleIdentifier: String) -> Bool {
        guard isWildcard else { return pattern.isBytes(of: bundleIdentifier) }
        return bundleIdentifier.hasBytes(first: pattern.prefixOfWildcard)
    }

    /// Whether code that claims `claim` may carry the profile: the same, or within the pattern.
    package func covers(_ claim: ApplicationIdentifier) -> Bool {
        guard isWildcard else { return rawValue.isBytes(of: claim.rawValue) }
        return claim.rawValue.hasBytes(first: rawValue[...].prefixOfWildcard)
    }

    package var description: String { rawValue }
}

extension Substring {
    /// A pattern without the asterisk that it ends in.
    fileprivate var prefixOfWildcard: Substring { self[..<utf8.index(before: endIndex)] }
}
