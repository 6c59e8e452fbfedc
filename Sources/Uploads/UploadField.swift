import Bytes
package import Cryptography
import Essentials

/// The header fields of *Resumable Uploads for HTTP* (draft-ietf-httpbis-resumable-upload), as text.
package enum UploadField {
    package static let complete = "Upload-Complete"
    package static let offset = "Upload-Offset"
    package static let length = "Upload-Length"
    package static let limit = "Upload-Limit"
    package static let interop = "Upload-Draft-Interop-Version"
    /// RFC 9530.
    package static let digest = "Repr-Digest"
    /// The interop version of the draft that is implemented.
    package static let interopVersion = "8"
    /// The media type of a piece of an upload.
    package static let mediaType = "application/partial-upload"

    /// Parses a Boolean (RFC 9651); nil for anything else.
    package static func boolean(_ text: String) -> Bool? {
        switch text {
        case "?1": true
        case "?0": false
        default: nil
        }
    }

    package static func text(_ value: Bool) -> String { value ? "?1" : "?0" }

    /// Parses an integer (RFC 9651) that is not negative; nil for anything else.
    package static func count(_ text: String) -> Int? {
        guard (1...15).contains(text.utf8.count), text.allSatisfy({ $0.isASCII && $0.isNumber })
        else { return nil }
        return Int(text)
    }

    /// Returns the SHA-256 in a `Repr-Digest`: `sha-256=:…:` in Base64, among other digests.
    ///
    /// - Returns: nil if there is none, more than one, or a malformed one.
    package static func sha256(_ text: String) -> SHA256Digest? {
        let members = text.split(separator: ",")
            // Parameters are not part of the digest (RFC 9651, section 3.1.2).
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
