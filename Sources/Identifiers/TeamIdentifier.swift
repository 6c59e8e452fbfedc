import Bytes

/// Apple's identifier of a developer team: ten characters from A-Z and 0-9.
package struct TeamIdentifier: Hashable, Sendable, Comparable, TextCoded {
    package let rawValue: String

    package init?(_ text: String) {
        let isPlain = text.utf8.allSatisfy {
            (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
        }
        guard isPlain, text.utf8.count == 10 else { return nil }
        rawValue = text
    }

    package static let kindOfText = "a team identifier: ten of A-Z and 0-9, such as ABCDE12345"

    package var description: String { rawValue }

    package static func < (left: TeamIdentifier, right: TeamIdentifier) -> Bool {
        left.rawValue < right.rawValue
    }
}
