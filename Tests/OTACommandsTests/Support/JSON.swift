import Foundation

/// A command's JSON output, as a script reads it.
enum JSON: Decodable, Equatable {
    case object([String: JSON])
    case array([JSON])
    case string(String)
    case number(Double)
    case boolean(Bool)
    case null

    init(_ text: String) throws {
        self = try JSONDecoder().decode(JSON.self, from: Data(text.utf8))
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .boolean(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode([JSON].self) {
            self = .array(value)
        } else {
            self = .object(try container.decode([String: JSON].self))
        }
    }

    subscript(key: String) -> JSON {
        guard case .object(let entries) = self else { return .null }
        return entries[key] ?? .null
    }

    var keys: Set<String> {
        guard case .object(let entries) = self else { return [] }
        return Set(entries.keys)
    }

    var items: [JSON] {
        guard case .array(let items) = self else { return [] }
        return items
    }

    var string: String? {
        guard case .string(let string) = self else { return nil }
        return string
    }

    var number: Int? {
        guard case .number(let number) = self else { return nil }
        return Int(exactly: number)
    }

    var boolean: Bool? {
        guard case .boolean(let value) = self else { return nil }
        return value
    }
}
