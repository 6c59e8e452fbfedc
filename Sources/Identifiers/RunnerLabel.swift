import Bytes

/// A capability that a runner has or a pipeline requires: `mac`, `xcode-26`.
package struct RunnerLabel: Hashable, Sendable, TextCoded {
    package let rawValue: String

    package static let kindOfText =
        "a label: 1 to 63 of a-z, 0-9, `.`, `_` and `-`, beginning with a letter or a digit"

    /// The label by which a pipeline requests the server's own machine; runners cannot have it.
    package static let server = "server"
    package static let countLimit = 20

    package init?(_ text: String) {
        let isPlain = text.utf8.allSatisfy { byte in
            Self.isLetterOrDigit(byte) || "._-".utf8.contains(byte)
        }
        guard isPlain, (1...63).contains(text.utf8.count), let first = text.utf8.first,
            Self.isLetterOrDigit(first), text != Self.server
        else { return nil }
        rawValue = text
    }

    package var description: String { rawValue }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
            || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}

extension RunnerLabel {
    /// The labels in words: `the label mac`, or `the labels mac and xcode-26`.
    package static func words(for labels: [String]) -> String {
        guard let last = labels.last, labels.count > 1 else {
            return "the label \(labels.first ?? "")"
        }
        return "the labels \(labels.dropLast().joined(separator: ", ")) and \(last)"
    }
}
