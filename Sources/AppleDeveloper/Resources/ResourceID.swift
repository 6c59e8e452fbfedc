import Bytes

/// Apple's identifier of a device, a profile, a certificate or an App ID, which is used in URL paths.
package struct ResourceID: Hashable, Sendable {
    package let rawValue: String

    /// - Returns: nil for anything but 1 to 64 letters, digits, hyphens and underscores.
    package init?(_ text: String) {
        guard (1...64).contains(text.utf8.count), text.utf8.allSatisfy(Self.isAllowed) else {
            return nil
        }
        rawValue = text
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}

extension ResourceID: TextCoded {
    package static let kindOfText = "an identifier of letters, digits, hyphens and underscores"
    package var description: String { rawValue }
}
