import Bytes
package import Cryptography
import Essentials

/// The fields of *Resumable Uploads for HTTP* (draft-ietf-httpbis-resumable-upload), as text.
package enum UploadField {
    package static let complete = "Upload-Complete"
    package static let offset = "Upload-Offset"
    package static let length = "Upload-Length"
    package static let limit = "Upload-Limit"
    package static let interop = "Upload-Draft-Interop-Version"
    /// RFC 9530.
    package static let digest = "Repr-Digest"
    /// The version of the draft's rules that these are.
    package static let interopVersion = "8"
    /// What a piece of an upload is sent as.
    package static let mediaType = "application/partial-upload"

    /// A boolean of RFC 9651; nil for anything else.
    package static func boolean(_ text: String) -> Bool? {
        switch text {
        case "?1": true
        case "?0": false
        default: nil
        }
    }

    package static func text(_ value: Bool) -> String { value ? "?1" : "?0" }

    /// An integer of RFC 9651 that is not negative; nil for anything else.
    package static func count(_ text: String) -> Int? {
        guard (1...15).contains(text.utf8.count), text.allSatisfy({ $0.isASCII && $0.isNumber })
        else { return nil }
        return Int(text)
    }

    /// The SHA-256 of a `Repr-Digest`: `sha-256=:…:` in base64, with others beside it.
    ///
    /// - Returns: nil where it has none, more than one, or one that is malformed.
    package static func sha256(_ text: String) -> SHA256Digest? {
        let members = text.split(separator: ",")
            // Parameters say nothing of the digest (RFC 8941, 3.1.2).
            .map { ($0.split(separator: ";").first ?? "").trimmingWhitespace() }
            .filter { $0.hasPrefix("sha-256=:") && $0.hasSuffix(":") }
        guard members.count == 1, let member = members.first else { return nil }
        let base64 = member.dropFirst("sha-256=:".count).dropLast()
        return Data(base64Encoded: String(base64)).flatMap { SHA256Digest(bytes: $0) }
    }

    package static func text(_ digest: SHA256Digest) -> String {
        "sha-256=:\(Data(digest.bytes).base64EncodedString()):"
    }
}
