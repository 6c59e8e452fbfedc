import Bytes
import Cryptography
import Pages
import PropertyLists

/// A configuration profile that installs one root certificate on a device.
///
/// The keys are those of `com.apple.security.root` in Apple's device management reference. The
/// identifiers are derived from the certificate, so that installing it again replaces the earlier
/// profile.
struct AuthorityProfile {
    private let authority: Certificate
    private let words: Words

    /// - Parameters:
    ///   - authority: the root certificate.
    ///   - words: the language of the explanation in Settings.
    init(of authority: Certificate, in words: Words) {
        self.authority = authority
        self.words = words
    }

    func xml() -> [UInt8] {
        let name = authority.subject.commonName ?? "ota development authority"
        let certificate: [String: PropertyList] = [
            "PayloadType": .string("com.apple.security.root"),
            "PayloadVersion": .integer(1),
            "PayloadIdentifier": .string(identifier + ".root"),
            "PayloadUUID": .string(uuid(salt: 1)),
            "PayloadDisplayName": .string(name),
            "PayloadCertificateFileName": .string("authority.cer"),
            "PayloadContent": .data(authority.der),
        ]
        let profile: [String: PropertyList] = [
            "PayloadType": .string("Configuration"),
            "PayloadVersion": .integer(1),
            "PayloadIdentifier": .string(identifier),
            "PayloadUUID": .string(uuid(salt: 0)),
            "PayloadDisplayName": .string(name),
            "PayloadDescription": .string(words.text("payload.trust.text")),
            "PayloadOrganization": .string("ota"),
            "PayloadContent": .array([.dictionary(certificate)]),
        ]
        return PropertyList.dictionary(profile).xml()
    }

    private var identifier: String {
        "ota.authority." + Hex.encode(authority.sha256.bytes.prefix(8))
    }

    private func uuid(salt: UInt8) -> String {
        let digits = Array(Hex.encode(SHA256Digest(of: authority.der + [salt]).bytes.prefix(16)))
        let groups = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(digits[$0]) }
        return groups.joined(separator: "-").uppercased()
    }
}
