package import Problems

/// A value that documents hold as one text, such as an identifier or a version.
///
/// Gives `Codable` to what can be written as text and read back; a document with a text that is no
/// such value is refused.
package protocol TextCoded: Codable, CustomStringConvertible, DescribedText {
    /// - Returns: nil for a text that is no such value.
    init?(_ text: String)
}

/// A value that people write as text, and that can say how.
package protocol DescribedText {
    /// What a text should have been, with its form, for the refusal: `a version such as 18.1`.
    static var kindOfText: String { get }
}

/// A text that is not what it should have been.
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
    /// The refusal of a text in a document; its sender reads there what was wanted.
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
