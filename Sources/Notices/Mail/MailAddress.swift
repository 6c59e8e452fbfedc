import Bytes

/// An e-mail address that can be used in an SMTP command and in a header as it is: nothing in it is quoted,
/// and no character ends a line.
package struct MailAddress: TextCoded, Hashable, Sendable {
    /// In bytes (RFC 5321, section 4.5.3.1).
    package static let lengthLimit = 254

    package let local: String
    /// In lower case and ASCII; an internationalised name is in its `xn--` form.
    package let domain: String

    package static let kindOfText = "an e-mail address such as ana@example.com"

    package init?(_ text: String) {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        guard text.utf8.count <= Self.lengthLimit, parts.count == 2,
            Self.isLocal(parts[0]), Self.isDomain(parts[1])
        else { return nil }
        local = String(parts[0])
        domain = parts[1].lowercased()
    }

    package var description: String { "\(local)@\(domain)" }

    /// Whether the text is a dot-atom (RFC 5322, section 3.2.3) of at most 64 bytes.
    private static func isLocal(_ text: Substring) -> Bool {
        text.utf8.count <= 64
            && text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { atom in
                !atom.isEmpty && atom.utf8.allSatisfy { isLetterOrDigit($0) || marks.contains($0) }
            }
    }

    private static func isDomain(_ text: Substring) -> Bool {
        let labels = text.split(separator: ".", omittingEmptySubsequences: false)
        return labels.count >= 2
            && labels.allSatisfy { label in
                (1...63).contains(label.utf8.count) && label.first != "-" && label.last != "-"
                    && label.utf8.allSatisfy { isLetterOrDigit($0) || $0 == UInt8(ascii: "-") }
            }
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"):
            true
        default: false
        }
    }

    private static let marks = Set("!#$%&'*+-/=?^_`{|}~".utf8)
}
