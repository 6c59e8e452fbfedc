import Bytes
import Essentials
import Identifiers

/// The errors in a response: `{"errors":[{id,status,code,title,detail,source}]}`.
///
/// Untrusted text is shortened for messages, with device identifiers and tokens masked.
struct RefusalDocument: Equatable {
    struct Entry: Equatable {
        /// Dotted, from general to specific: `ENTITY_ERROR.ATTRIBUTE.INVALID`.
        var code = ""
        var detail = ""
        /// The place in the request: `/data/attributes/udid`.
        var pointer = ""

        /// Whether the code is `name` or more specific.
        func isCode(_ name: String) -> Bool {
            code.isBytes(of: name) || code.hasBytes(first: name + ".")
        }
    }

    let entries: [Entry]

    /// - Parameter body: the body of a response; any other document has no entries.
    init(_ body: [UInt8]) {
        let document = try? JSONDecoder().decode(Document.self, from: Data(body))
        entries = (document?.errors ?? []).prefix(8).map { error in
            Entry(
                code: Self.code(error.code ?? ""),
                detail: Self.plain(error.detail ?? error.title ?? ""),
                pointer: Self.plain(error.source?.pointer ?? ""),
            )
        }
    }

    func has(code: String) -> Bool { entries.contains { $0.isCode(code) } }

    /// Whether a message contains `words`, for errors that their codes do not distinguish.
    func says(_ words: String) -> Bool {
        entries.contains { $0.detail.lowercased().containsBytes(of: words) }
    }

    func isAbout(_ attribute: String) -> Bool {
        entries.contains { $0.pointer.hasBytes(last: "/" + attribute) }
    }

    private static func plain(_ text: String) -> String {
        // Messages are cut before masking, because a token cut by the shorter limit would not be
        // recognised.
        let start = String(text.unicodeScalars.prefix(20_000))
        let masked = APIToken.masked(in: DeviceUDID.masked(in: start))
        let line = PrintableText(escaping: masked, limit: 300).text
        return line.hasBytes(last: ".") ? String(line.dropLast()) : line
    }

    /// The leading characters that may occur in Apple's codes, at most 100.
    private static func code(_ text: String) -> String {
        let bytes = text.utf8.prefix(100).prefix { byte in
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                UInt8(ascii: "_"), UInt8(ascii: "."):
                true
            default: false
            }
        }
        return DeviceUDID.masked(in: String(decoding: bytes, as: UTF8.self))
    }

    private struct Document: Decodable {
        let errors: [Failure]
    }

    private struct Failure: Decodable {
        struct Source: Decodable {
            let pointer: String?
        }

        private enum Key: String, CodingKey { case code, title, detail, source }

        let code: String?
        let title: String?
        let detail: String?
        let source: Source?

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            code = try? container.decode(String.self, forKey: .code)
            title = try? container.decode(String.self, forKey: .title)
            detail = try? container.decode(String.self, forKey: .detail)
            source = try? container.decode(Source.self, forKey: .source)
        }
    }
}
