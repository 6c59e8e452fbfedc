import Bytes

/// The UDID of a device, in any of the three forms that Apple uses.
///
/// 40 hexadecimal digits (up to iPhone X), 8 and 16 digits with a hyphen between them (since iPhone XS),
/// or a UUID (Macs). Stored in the case that Apple prints, so equal devices are equal values.
package struct DeviceUDID: Hashable, Sendable {
    /// Lower case for the form with 40 digits, upper case for the others.
    package let rawValue: String

    /// Parses a UDID in either case; the hyphen of the second form may be missing.
    ///
    /// - Returns: nil for any other form.
    package init?(_ text: String) {
        let groups = text.split(separator: "-", omittingEmptySubsequences: false)
        guard groups.allSatisfy({ $0.utf8.allSatisfy(Self.isHexDigit) }) else { return nil }
        switch groups.map(\.utf8.count) {
        case [40]: rawValue = text.lowercased()
        // Some tools print it without the hyphen; the leading chip number distinguishes it from other
        // numbers.
        case [24] where text.utf8.starts(with: "0000".utf8):
            rawValue = (text.prefix(8) + "-" + text.dropFirst(8)).uppercased()
        case [8, 16], [8, 4, 4, 4, 12]: rawValue = text.uppercased()
        default: return nil
        }
    }

    private static func isHexDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
            UInt8(ascii: "A")...UInt8(ascii: "F"):
            true
        default:
            false
        }
    }
}

extension DeviceUDID: CustomStringConvertible, Comparable {
    package var description: String { rawValue }

    package static func < (left: DeviceUDID, right: DeviceUDID) -> Bool {
        left.rawValue < right.rawValue
    }
}

extension DeviceUDID: TextCoded {
    package static let kindOfText =
        "a UDID: 40 hexadecimal digits, 8 and 16 with a hyphen between, or a UUID"
}
