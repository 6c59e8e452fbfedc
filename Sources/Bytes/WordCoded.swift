/// One of a few words, in documents and in people's input.
package protocol WordCoded: RawRepresentable, CaseIterable, Codable, DescribedText
where RawValue == String {}

extension WordCoded {
    package static var kindOfText: String {
        let words = allCases.map(\.rawValue)
        return words.dropLast().joined(separator: ", ") + " or " + (words.last ?? "")
    }

    package init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let value = Self(rawValue: text) else {
            throw DecodingError.wrongText(Self.self, at: decoder.codingPath)
        }
        self = value
    }
}
