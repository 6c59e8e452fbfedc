import Bytes
import Foundation

extension JSONValue {
    subscript(_ key: String) -> JSONValue? { fields[key] }

    /// The members of an object; empty for anything else.
    var fields: [String: JSONValue] { if case .object(let fields) = self { fields } else { [:] } }

    /// The elements of a list; empty for anything else.
    var elements: [JSONValue] { if case .list(let elements) = self { elements } else { [] } }

    var string: String? { if case .text(let text) = self { text } else { nil } }

    var whole: Int? { if case .integer(let number) = self { number } else { nil } }

    var flag: Bool? { if case .boolean(let flag) = self { flag } else { nil } }

    /// Nil for bytes that are not JSON.
    init?(reading bytes: [UInt8]) {
        guard let value = try? JSONDecoder().decode(JSONValue.self, from: Data(bytes)) else {
            return nil
        }
        self = value
    }

    /// JSON with sorted keys.
    var bytes: [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return [UInt8]((try? encoder.encode(self)) ?? Data())
    }

    /// A list of texts.
    init(texts: some Sequence<String>) {
        self = .list(texts.map { .text($0) })
    }
}
