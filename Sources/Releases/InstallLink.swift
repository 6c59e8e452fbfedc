/// Builds the link of an Install button.
package enum InstallLink {
    /// Returns `itms-services://?action=download-manifest&url=…` with the whole URL percent-encoded.
    ///
    /// iOS unescapes the value once and parses it as a URL, so every byte outside RFC 3986's
    /// unreserved set is escaped.
    package static func link(toManifest url: String) -> String {
        "itms-services://?action=download-manifest&url=" + percentEncoded(url)
    }

    /// Percent-encodes everything but RFC 3986's unreserved characters.
    package static func percentEncoded(_ text: String) -> String {
        var encoded = ""
        for byte in text.utf8 {
            if isUnreserved(byte) {
                encoded.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                let digits = String(byte, radix: 16, uppercase: true)
                encoded += "%" + (digits.count == 1 ? "0" + digits : digits)
            }
        }
        return encoded
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "_"), UInt8(ascii: "~"):
            true
        default:
            false
        }
    }
}
