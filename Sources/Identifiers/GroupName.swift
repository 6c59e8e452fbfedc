import Bytes

/// The name of a group of testers, such as `qa`, in commands, URLs and an app's access list.
///
/// Lower-case letters, digits and single hyphens between them, at most 40; compared by bytes.
package struct GroupName: Hashable, Sendable, TextCoded, Comparable {
    package let rawValue: String

    package init?(_ text: String) {
        let hyphen = UInt8(ascii: "-")
        let bytes = text.utf8
        guard (1...40).contains(bytes.count), bytes.first != hyphen, bytes.last != hyphen,
            bytes.allSatisfy({ Self.isLetterOrDigit($0) || $0 == hyphen }),
            zip(bytes, bytes.dropFirst()).allSatisfy({ $0 != hyphen || $1 != hyphen })
        else { return nil }
        rawValue = text
    }

    package static let kindOfText =
        "a group name: 1 to 40 of a-z, 0-9 and single hyphens between them"

    package var description: String { rawValue }

    package static func < (left: GroupName, right: GroupName) -> Bool {
        left.rawValue < right.rawValue
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
            || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}
