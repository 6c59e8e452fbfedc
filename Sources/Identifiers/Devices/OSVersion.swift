import Bytes

/// A version of iOS, iPadOS, watchOS or a related system: up to three numbers.
package struct OSVersion: Hashable, Sendable {
    package let major: Int
    package let minor: Int
    package let patch: Int

    package init(major: Int, minor: Int = 0, patch: Int = 0) {
        self.major = major
        self.minor = minor
        self.patch = patch
    }

    /// Parses `17`, `17.4` or `17.4.1`.
    ///
    /// - Returns: nil for anything else, and for numbers with more than four digits.
    package init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        let numbers = parts.compactMap(Self.number)
        guard (1...3).contains(parts.count), numbers.count == parts.count else { return nil }
        self.init(
            major: numbers[0],
            minor: numbers.count > 1 ? numbers[1] : 0,
            patch: numbers.count > 2 ? numbers[2] : 0,
        )
    }

    private static func number(_ part: Substring) -> Int? {
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        guard (1...4).contains(part.utf8.count), part.utf8.allSatisfy(digits.contains) else {
            return nil
        }
        return Int(part)
    }
}

extension OSVersion: Comparable, CustomStringConvertible {
    package static func < (left: OSVersion, right: OSVersion) -> Bool {
        (left.major, left.minor, left.patch) < (right.major, right.minor, right.patch)
    }

    /// `17.4`, with the third number only if it is not zero.
    package var description: String {
        patch == 0 ? "\(major).\(minor)" : "\(major).\(minor).\(patch)"
    }
}

extension OSVersion: TextCoded {
    package static let kindOfText = "a version such as 18.1: one to three numbers separated by dots"
}
