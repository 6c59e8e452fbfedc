import Bytes
import Essentials

/// Formats the values in a requirement as Security does (`Dumper::data`).
enum RequirementText {
    /// Without quotes where the language allows it, quoted if it is text, else in hexadecimal.
    static func value(_ bytes: [UInt8]) -> String { spelling(bytes, allowingDots: false) }

    /// A key, which may contain dots without quotes.
    static func key(_ bytes: [UInt8]) -> String { spelling(bytes, allowingDots: true) }

    private static func spelling(_ bytes: [UInt8], allowingDots: Bool) -> String {
        guard bytes.allSatisfy(isText) else { return "0x" + Hex.encode(bytes) }
        let text = String(decoding: bytes, as: UTF8.self)
        let isBare = bytes.allSatisfy { isLetterOrDigit($0) || allowingDots && $0 == 0x2e }
        let startsWithDigit = bytes.first.map { (0x30...0x39).contains($0) } ?? true
        if isBare, !startsWithDigit, !words.contains(text) { return text }
        let escaped = text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        return "\"\(escaped)\""
    }

    /// Whether C's `isgraph` or `isspace` is true for the byte.
    private static func isText(_ byte: UInt8) -> Bool {
        (0x20...0x7e).contains(byte) || (0x09...0x0d).contains(byte)
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5a, 0x61...0x7a: true
        default: false
        }
    }

    /// Keywords of the language, which are quoted when they are values.
    private static let words: Set<String> = [
        "guest", "host", "designated", "library", "plugin", "or", "and", "always", "true",
        "never", "false", "identifier", "cdhash", "platform", "notarized", "legacy", "anchor",
        "apple", "generic", "certificate", "cert", "trusted", "info", "entitlement", "exists",
        "absent", "leaf", "root", "timestamp",
    ]

    /// The dotted form of an object identifier's content octets, or else the octets in hexadecimal.
    static func objectIdentifier(_ content: [UInt8]) -> String {
        var arcs: [UInt64] = []
        var arc: UInt64 = 0
        for byte in content {
            guard arc <= UInt64.max >> 7 else { return "0x" + Hex.encode(content) }
            arc = arc << 7 | UInt64(byte & 0x7f)
            guard byte & 0x80 == 0 else { continue }
            arcs.append(arc)
            arc = 0
        }
        guard let first = arcs.first, content.last.map({ $0 & 0x80 == 0 }) ?? false else {
            return "0x" + Hex.encode(content)
        }
        let root = min(first / 40, 2)
        return ([root, first - root * 40] + arcs.dropFirst()).map(String.init)
            .joined(separator: ".")
    }

    /// Formats seconds since 2001-01-01 00:00:00 UTC as the description of a `CFDate`.
    static func time(_ seconds: Int64) -> String {
        // Within the range of years that a calendar can format.
        guard seconds.magnitude < 100_000_000_000 else { return "<\(seconds)>" }
        let date = Date(timeIntervalSinceReferenceDate: Double(seconds))
        let day = date.formatted(.iso8601.year().month().day())
        let time = date.formatted(.iso8601.time(includingFractionalSeconds: false))
        return "<\(day) \(time) +0000>"
    }
}
