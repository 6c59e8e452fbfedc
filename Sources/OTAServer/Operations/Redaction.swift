import Access
import Bundles
import Bytes
import HTTPServing
import Identifiers

/// Keeps capabilities, queries, device identifiers and tokens out of the log.
enum Redaction {
    /// Returns a request's target without its query, with capabilities shortened, and UDIDs and tokens
    /// masked.
    static func target(_ target: String) -> String {
        var path = String(target.prefix(beforeByte: "?"))
        if path.containsBytes(of: "%") { path = decoded(path) }
        for folder in folders { path = shortened(path, in: folder) }
        return masked(path) + (target.containsBytes(of: "?") ? "?…" : "")
    }

    /// Masks UDIDs and tokens: scripts sometimes send a token in a path or as the user agent by mistake.
    static func masked(_ text: String) -> String {
        RunnerSecret.masked(in: TokenSecret.masked(in: DeviceUDID.masked(in: text)))
    }

    /// The component after each of these grants access to something: a build, an invitation, a device's
    /// session, a link for admins.
    private static let folders = ["/install/", "/enrol/", "/enrolled/", "/sign-in/link/"]
    private static let shown = 6

    /// Shortens the component after `folder`, which may be anywhere, because the base URL's path may
    /// precede it.
    private static func shortened(_ path: String, in folder: String) -> String {
        let bytes = path.utf8
        guard let start = bytes.firstRange(ofBytes: folder.utf8)?.upperBound else { return path }
        let secret = bytes[start...].prefix { $0 != UInt8(ascii: "/") }
        guard secret.count > shown else { return path }
        let parts = [bytes[..<secret.prefix(shown).endIndex], bytes[secret.endIndex...]]
            .map { String(decoding: $0, as: UTF8.self) }
        return parts[0] + "…" + parts[1]
    }

    private static func decoded(_ text: String) -> String {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            let digits = String(decoding: rest.prefix(2), as: UTF8.self)
            if byte == UInt8(ascii: "%"), digits.utf8.count == 2,
                let escaped = UInt8(digits, radix: 16)
            {
                bytes.append(escaped)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension LogRedaction {
    /// Removes capabilities, queries, UDIDs and tokens.
    static let ofSecrets = LogRedaction(
        target: { Redaction.target($0) },
        agent: { Redaction.masked($0) },
        text: { Redaction.masked($0) },
    )
}
