import Bytes
import Essentials

/// The members of a JSON object from a provider.
struct TokenFields: Equatable, Sendable {
    private let members: [String: JSONValue]

    /// Parses an object; the caller must limit the number of bytes.
    ///
    /// - Throws: ``SignInRefusal`` with `reason` for anything else.
    init(
        _ bytes: [UInt8],
        in reason: SignInRefusal.Reason,
    ) throws(SignInRefusal) {
        guard
            case .object(let members) = try? JSONDecoder().decode(
                JSONValue.self,
                from: Data(bytes),
            )
        else { throw SignInRefusal(reason, "it is not a JSON object") }
        self.members = members
    }

    subscript(name: String) -> JSONValue? {
        members[name].flatMap { $0 == .null ? nil : $0 }
    }

    /// Whether there is such a member, of any type.
    func has(_ name: String) -> Bool { self[name] != nil }

    /// A string; nil when it is missing or of another type.
    func text(_ name: String) -> String? {
        guard case .text(let text) = self[name] else { return nil }
        return text
    }

    /// A list of strings; nil when it is missing or of another type.
    func texts(_ name: String) -> [String]? {
        guard case .list(let values) = self[name] else { return nil }
        let texts = values.compactMap(\.text)
        return texts.count == values.count ? texts : nil
    }

    /// A single string or a list of strings, as for audiences; nil for anything else.
    func oneOrMore(_ name: String) -> [String]? { text(name).map { [$0] } ?? texts(name) }

    /// True for `true`, and for the string "true", which some providers write.
    func flag(_ name: String) -> Bool {
        self[name] == .boolean(true) || self[name] == .text("true")
    }

    /// Seconds since 1970 (RFC 7519 section 2); nil for anything but a number, or a date after the year
    /// 9999.
    func date(_ name: String) -> Date? {
        let seconds: Double
        switch self[name] {
        case .integer(let value): seconds = Double(value)
        case .number(let value): seconds = value
        default: return nil
        }
        guard seconds >= 0, seconds < 253_402_300_800 else { return nil }
        return Date(timeIntervalSince1970: seconds)
    }

    /// The strings of a claim: the member with that name, or the one at the path with dots; a string or a
    /// list.
    ///
    /// - Parameters:
    ///   - path: a name such as `groups` or `realm_access.roles`.
    ///   - limit: the maximum number of strings; strings longer than 256 bytes are ignored.
    /// - Returns: the strings; nil when there is no such claim.
    func texts(at path: String, atMost limit: Int) -> [String]? {
        var value = self[path]
        if value == nil {
            var place = JSONValue.object(members)
            for part in path.split(atByte: ".", omittingEmptySubsequences: false) {
                guard case .object(let inner) = place, let next = inner[String(part)],
                    next != .null
                else { return nil }
                place = next
            }
            value = place
        }
        let all: [String] =
            switch value {
            case .text(let text): [text]
            case .list(let values): values.compactMap(\.text)
            default: []
            }
        return Array(all.filter { $0.utf8.count <= 256 }.prefix(limit))
    }
}

extension JSONValue {
    fileprivate var text: String? {
        guard case .text(let text) = self else { return nil }
        return text
    }
}
