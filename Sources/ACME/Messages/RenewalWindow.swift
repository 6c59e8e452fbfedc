package import Cryptography
package import Essentials

/// The renewal window that an authority suggests for a certificate (RFC 9773 section 4.2).
package struct RenewalWindow: Codable, Equatable, Sendable {
    package let start: Date
    package let end: Date

    package init(start: Date, end: Date) {
        self.start = start
        self.end = end
    }

    /// Parses a response; nil for one without a window, or with one that ends before it begins, which a
    /// client must ignore.
    init?(answer: [UInt8]) {
        guard let wire = try? JSONDecoder().decode(Wire.self, from: Data(answer)),
            let start = Self.date(wire.suggestedWindow.start),
            let end = Self.date(wire.suggestedWindow.end), start < end
        else { return nil }
        self.init(start: start, end: end)
    }

    private struct Wire: Decodable {
        struct Window: Decodable {
            let start: String
            let end: String
        }

        let suggestedWindow: Window
    }

    /// Parses RFC 3339, with or without fractions of a second.
    private static func date(_ text: String) -> Date? {
        guard text.utf8.count <= 64 else { return nil }
        return (try? Date(text, strategy: .iso8601))
            ?? (try? Date(
                text,
                strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true),
            ))
    }

    /// The identifier of a certificate in renewal requests: the key identifier of its authority and its
    /// serial number (RFC 9773 section 4.1).
    ///
    /// - Parameter certificate: the certificate to renew.
    /// - Returns: nil for a certificate without an authority key identifier.
    package static func name(of certificate: Certificate) -> String? {
        guard let authority = certificate.authorityKeyIdentifier, !authority.isEmpty,
            !certificate.serial.isEmpty
        else { return nil }
        return Base64URL.text(authority) + "." + Base64URL.text(certificate.serial)
    }
}
