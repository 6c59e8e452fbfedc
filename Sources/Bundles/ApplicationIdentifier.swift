import Bytes

/// An application identifier in a profile: `ABCDE12345.com.example.app`, or a wildcard that ends in `*`.
package struct ApplicationIdentifier: Hashable, Sendable, CustomStringConvertible {
    package let rawValue: String

    package init(_ rawValue: String) {
        self.rawValue = rawValue
    }

    /// The part before the first dot: the team, or an older account's own prefix.
    package var prefix: Substring { rawValue.prefix(beforeByte: ".") }

    /// The part after the first dot: a bundle identifier, or a wildcard.
    package var pattern: Substring {
        guard let dot = rawValue.firstIndex(ofByte: ".") else { return "" }
        return rawValue[rawValue.utf8.index(after: dot)...]
    }

    package var isWildcard: Bool { pattern.hasBytes(last: "*") }

    /// Whether an app with this bundle identifier may use the profile (TN3125).
    package func grants(_ bundleIdentifier: String) -> Bool {
        guard isWildcard else { return pattern.isBytes(of: bundleIdentifier) }
        return bundleIdentifier.hasBytes(first: pattern.prefixOfWildcard)
    }

    /// Whether code that claims `claim` may use the profile: the same identifier, or one that matches the
    /// wildcard.
    package func covers(_ claim: ApplicationIdentifier) -> Bool {
        guard isWildcard else { return rawValue.isBytes(of: claim.rawValue) }
        return claim.rawValue.hasBytes(first: rawValue[...].prefixOfWildcard)
    }

    package var description: String { rawValue }
}

extension Substring {
    /// A wildcard without its trailing asterisk.
    fileprivate var prefixOfWildcard: Substring { self[..<utf8.index(before: endIndex)] }
}
