/// A value that documents hold as one text, such as an identifier or a version.
///
/// Gives `Codable` to what can be written as text and read back; a document with a text that is no
/// such value is refused.
package protocol TextCoded: Codable, CustomStringConvertible {
    /// - Returns: nil for a text that is no such value.
    init?(_ text: String)

    /// What a text should have been, for the refusal: `a device identifier`.
    static var kindOfText: String { get }
}

extension TextCoded {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let value = Self(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription: "not \(Self.kindOfText)",
            )
        }
        self = value
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
