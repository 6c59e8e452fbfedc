import Bytes

/// A name from an archive as it may be shown on a terminal, in a log and on a page.
///
/// Control characters, bidirectional overrides and line separators are written as escapes, bytes
/// that are not UTF-8 as `\x..`.
struct PrintableName {
    /// Counted in Unicode scalars before escaping, so that the work is bounded too.
    private static let longest = 150

    let text: String

    init(_ name: String) {
        var text = ""
        for scalar in name.unicodeScalars.prefix(Self.longest) {
            if Self.isPlain(scalar) {
                text.unicodeScalars.append(scalar)
            } else {
                text += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
            }
        }
        self.init(escaped: text, isWhole: name.unicodeScalars.count <= Self.longest)
    }

    init(_ bytes: ArraySlice<UInt8>) {
        if let name = String(validating: bytes, as: UTF8.self) {
            self.init(name)
            return
        }
        var text = ""
        for byte in bytes.prefix(Self.longest) {
            if (0x20..<0x7F).contains(byte) {
                text.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                text += "\\x" + Hex.encode([byte])
            }
        }
        self.init(escaped: text, isWhole: bytes.count <= Self.longest)
    }

    private init(escaped text: String, isWhole: Bool) {
        guard text.count > 199 || !isWhole else {
            self.text = text
            return
        }
        self.text = text.prefix(199) + "…"
    }

    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned:
            false
        default:
            true
        }
    }
}
