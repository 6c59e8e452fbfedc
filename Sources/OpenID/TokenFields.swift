import Bytes
import Essentials

/// The members of a JSON object that a provider sent.
struct TokenFields: Equatable, Sendable {
    private let members: [String: JSONValue]

    /// Reads an object, whose bytes are bounded by who calls.
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

    /// Whether there is such a member, whatever it is.
    func has(_ name: String) -> Bool { self[name] != nil }

    /// A text; nil where there is none, or anything else.
    func text(_ name: String) -> String? {
        guard case .text(let text) = self[name] else { return nil }
        return text
    }

    /// Texts; nil unless it is a list of them.
    func texts(_ name: String) -> [String]? {
        guard case .list(let values) = self[name] else { return nil }
        let texts = values.compactMap(\.text)
        return texts.count == values.count ? texts : nil
    }

    /// One text or several, as audiences are; nil for anything else.
    func oneOrMore(_ name: String) -> [String]? { text(name).map { [$0] } ?? texts(name) }

    /// True for `true`, and for the text that some providers write for it.
    func flag(_ name: String) -> Bool {
        self[name] == .boolean(true) || self[name] == .text("true")
    }

    /// Seconds since 1970 (RFC 7519 section 2); nil for what is no such number, or after the year 9999.
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

    /// Texts at a claim: the member of that name, or what the dots in it lead to; one text or a list.
    ///
    /// - Parameters:
    ///   - path: such as `groups` or `realm_access.roles`.
    ///   - limit: how many texts count; longer ones than 256 bytes do not.
    /// - Returns: the texts; nil where there is no such claim.
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
