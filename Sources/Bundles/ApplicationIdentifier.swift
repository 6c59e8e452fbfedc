/// An application identifier as a profile grants it: `ABCDE12345.com.example.app`, or a pattern
/// that ends in `*`.
package struct ApplicationIdentifier: Hashable, Sendable, CustomStringConvertible {
    package let rawValue: String

    package init(_ rawValue: String) {
        self.rawValue = rawValue
    }

    /// What stands before the first dot: the team, or an older account's own prefix.
    package var prefix: Substring { rawValue.prefix { $0 != "." } }

    /// What stands after it: a bundle identifier, or a pattern.
    package var pattern: Substring {
        guard let dot = rawValue.firstIndex(of: ".") else { return "" }
        return rawValue[rawValue.index(after: dot)...]
    }

    package var isWildcard: Bool { pattern.hasSuffix("*") }

    /// Whether an app of this bundle identifier may carry the profile (TN3125).
    package func grants(_ bundleIdentifier: String) -> Bool {
        guard isWildcard else { return pattern == bundleIdentifier }
        return bundleIdentifier.hasPrefix(pattern.dropLast())
    }

    /// Whether code that claims `claim` may carry the profile: the same, or within the pattern.
    package func covers(_ claim: ApplicationIdentifier) -> Bool {
        guard isWildcard else { return rawValue == claim.rawValue }
        return claim.rawValue.hasPrefix(rawValue.dropLast())
    }

    package var description: String { rawValue }
}
