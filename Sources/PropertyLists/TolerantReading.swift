/// A property list read as CoreFoundation reads the Info.plist of a bundle, with the irregularities that
/// a strict reader refuses.
///
/// Use it only where a device reads the document in the same way: a repeated key is ambiguous, and which
/// value a device uses is not documented.
/// meanings, and which one a device takes is not documented.
package struct TolerantReading: Equatable, Sendable {
    package let value: PropertyList
    /// The first few keys that occur twice in a dictionary; the last value is used.
    package let repeatedKeys: [String]
    /// Whether the document is XML in UTF-16.
    package let isUTF16: Bool

    package init(
        _ bytes: some Collection<UInt8>,
        limits: PropertyList.Limits = .infoPlist,
    ) throws(MalformedPropertyList) {
        guard bytes.count <= limits.bytes else {
            throw MalformedPropertyList(.tooLarge(limit: limits.bytes))
        }
        let document = Array(bytes)
        let budget = ReadingBudget(limits, toleratingRepeatedKeys: true)
        if document.starts(with: BinaryTrailer.magic) {
            var reader = try BinaryPropertyListReader(document, budget: budget)
            value = try reader.readDocument()
            repeatedKeys = reader.budget.repeatedKeys
            isUTF16 = false
        } else {
            let text = Self.transcoded(document)
            var reader = XMLPropertyListReader(
                text ?? document,
                budget: budget,
                isTranscoded: text != nil,
            )
            value = try reader.readDocument()
            repeatedKeys = reader.budget.repeatedKeys
            isUTF16 = text != nil
        }
    }

    /// Converts UTF-16 to UTF-8 without a byte order mark; nil without a mark, or for invalid UTF-16.
    private static func transcoded(_ document: [UInt8]) -> [UInt8]? {
        let isLittle = document.starts(with: [0xFF, 0xFE])
        guard isLittle || document.starts(with: [0xFE, 0xFF]), document.count.isMultiple(of: 2)
        else { return nil }
        let units = stride(from: 2, to: document.count, by: 2).map { index in
            let (first, second) = (UInt16(document[index]), UInt16(document[index + 1]))
            return isLittle ? second << 8 | first : first << 8 | second
        }
        return String(validating: units, as: UTF16.self).map { Array($0.utf8) }
    }
}
