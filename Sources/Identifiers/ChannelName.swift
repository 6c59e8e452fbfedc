import Bytes

/// The name of a channel, which points to the offered release: `stable`, `beta`, `dev`, or any other.
///
/// Lower-case letters, digits, `.`, `_` and `-`, at most 63 characters, beginning with a letter or digit.
package struct ChannelName: Hashable, Sendable, TextCoded, Comparable, CodingKeyRepresentable {
    package let rawValue: String

    /// The default channel for publishing.
    package static let stable = ChannelName(unchecked: "stable")

    package init?(_ text: String) {
        let rest = "abcdefghijklmnopqrstuvwxyz0123456789._-"
        guard (1...63).contains(text.utf8.count), text.allSatisfy(rest.contains),
            let first = text.first, first.isLetter || first.isNumber
        else { return nil }
        rawValue = text
    }

    package static let kindOfText =
        "a channel name: 1 to 63 of a-z, 0-9 and ._-, beginning with a letter or digit"

    package var codingKey: any CodingKey { ChannelKey(stringValue: rawValue) }

    package init?<Key: CodingKey>(codingKey: Key) {
        self.init(codingKey.stringValue)
    }

    package var description: String { rawValue }

    package static func < (left: ChannelName, right: ChannelName) -> Bool {
        left.rawValue < right.rawValue
    }

    private init(unchecked text: String) {
        rawValue = text
    }

    private struct ChannelKey: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) {
            self.stringValue = stringValue
        }

        init?(intValue: Int) {
            nil
        }
    }
}
