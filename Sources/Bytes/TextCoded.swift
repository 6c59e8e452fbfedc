package import Problems

/// A value that documents store as a string, such as an identifier or a version.
///
/// Provides `Codable` by parsing and formatting the string; decoding an invalid string fails.
package protocol TextCoded: Codable, CustomStringConvertible, DescribedText {
    /// - Returns: nil for an invalid text.
    init?(_ text: String)
}

/// A value with a text form that error messages can describe.
package protocol DescribedText {
    /// A description of valid text for error messages: `a version such as 18.1`.
    static var kindOfText: String { get }
}

/// A text that is not valid for its type.
package struct WrongText: ReportableError, Hashable, Sendable {
    /// As in ``DescribedText/kindOfText``.
    package let wanted: String

    package init(wanted: String) {
        self.wanted = wanted
    }

    package var description: String { "it must be \(wanted)" }
}

extension WrongText {
    package var id: String { "input.wrong-text" }
    package var kind: Problem.Kind { .invalid }
    package var fix: String { "give \(wanted)" }
}

extension DecodingError {
    /// A decoding error for an invalid text in a document, which states what was expected.
    package static func wrongText(
        _ type: any DescribedText.Type,
        at path: [any CodingKey],
    ) -> DecodingError {
        .dataCorrupted(
            Context(
                codingPath: path,
                debugDescription: "not \(type.kindOfText)",
                underlyingError: WrongText(wanted: type.kindOfText),
            )
        )
    }
}

extension TextCoded {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let value = Self(try container.decode(String.self)) else {
            throw DecodingError.wrongText(Self.self, at: decoder.codingPath)
        }
        self = value
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
