import Bytes
import Foundation
import Releases

/// A body that an admin wrote for a webhook: JSON with placeholders in double braces in its strings, such
/// as `{"text": "{{title}}: {{message}}"}`.
package struct WebhookTemplate: Codable, Sendable, Equatable {
    /// The largest template, in bytes.
    package static let limit = 8192

    let text: String

    /// Parses and validates a template.
    ///
    /// - Parameter text: the template as the admin wrote it.
    /// - Throws: ``WebhookRefusal/badBody(_:)`` for an unknown placeholder, and if the result would not be
    ///   JSON.
    package init(_ text: String) throws(WebhookRefusal) {
        guard !text.utf8.isEmpty else { throw .badBody("a webhook of the kind custom needs one") }
        guard text.utf8.count <= Self.limit else {
            throw .badBody(
                "it has \(text.utf8.count.grouped) bytes, and the limit is \(Self.limit.grouped)"
            )
        }
        let parts = Self.parts(of: text)
        for case .name(let name) in parts where Field(rawValue: name) == nil {
            let shown = PrintableText(escaping: name, limit: 40).text
            throw .badBody("{{\(shown)}} is not a known placeholder")
        }
        if case .text(let end)? = parts.last,
            Array(end.utf8)[...].firstRange(ofBytes: "{{".utf8) != nil
        {
            throw .badBody("“{{” has no “}}” after it")
        }
        self.text = text
        // Outside of a string, an escaped quotation mark or backslash would be invalid JSON.
        let probe = Self.text(of: parts) { _ in Self.escaped("\"\\ {}") }
        guard (try? JSONSerialization.jsonObject(with: Data(probe.utf8))) != nil else {
            throw .badBody("it is not valid JSON with placeholders only inside strings")
        }
    }

    package init(from decoder: any Decoder) throws {
        text = try decoder.singleValueContainer().decode(String.self)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }

    /// Fills the template with a notice's values, and returns the JSON's bytes.
    package func body(of notice: Notice) -> [UInt8] {
        let text = Self.text(of: Self.parts(of: text)) { name in
            Self.escaped(Field(rawValue: name).map { $0.value(of: notice) } ?? "")
        }
        return Array(text.utf8)
    }

    /// The placeholders.
    package enum Field: String, CaseIterable, Sendable {
        case title, message, link, event, date, app, version, build, channel, device
        case tag, commit, branch, run

        /// Empty if the notice has no such value.
        fileprivate func value(of notice: Notice) -> String {
            switch self {
            case .title: notice.title
            case .message: notice.message
            case .link: notice.link ?? ""
            case .event: notice.event.rawValue
            case .date: notice.date.formatted(.iso8601)
            case .app: notice.apps.map(\.title).joined(separator: ", ")
            case .version: notice.release?.version ?? ""
            case .build: notice.release?.build ?? ""
            case .channel: notice.release?.channel ?? ""
            case .device: notice.device ?? ""
            case .tag: notice.release?.tag ?? ""
            case .commit: notice.release?.commit ?? ""
            case .branch: notice.release?.branch ?? ""
            case .run: notice.release?.run ?? ""
            }
        }
    }

    private enum Part {
        case text(String)
        case name(String)
    }

    /// Braces that are never closed are text.
    private static func parts(of text: String) -> [Part] {
        var parts: [Part] = []
        var rest = Array(text.utf8)[...]
        while let opening = rest.firstRange(ofBytes: "{{".utf8),
            let closing = rest[opening.upperBound...].firstRange(ofBytes: "}}".utf8)
        {
            parts.append(.text(String(decoding: rest[..<opening.lowerBound], as: UTF8.self)))
            let name = rest[opening.upperBound..<closing.lowerBound]
            let bare = name.filter { $0 != UInt8(ascii: " ") }
            parts.append(.name(String(decoding: bare, as: UTF8.self)))
            rest = rest[closing.upperBound...]
        }
        return parts + [.text(String(decoding: rest, as: UTF8.self))]
    }

    private static func text(of parts: [Part], _ value: (String) -> String) -> String {
        parts.map { part in
            switch part {
            case .text(let text): text
            case .name(let name): value(name)
            }
        }.joined()
    }

    /// Escapes the contents of a JSON string (RFC 8259, section 7).
    private static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case _ where scalar.value < 0x20:
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + (digits.utf8.count < 2 ? "000" : "00") + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
