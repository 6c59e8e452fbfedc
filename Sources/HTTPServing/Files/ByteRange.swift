/// The part of a resource that a `Range` field requests, RFC 9110 14.2.
package enum ByteRange: Equatable, Sendable {
    /// Everything: no range, several ranges, or one that cannot be parsed.
    case whole
    /// These bytes; never empty.
    case part(Range<Int>)
    /// A range that starts after the end, or a suffix of no bytes.
    case unsatisfiable

    /// - Parameters:
    ///   - field: the value of `Range`; nil if there is none.
    ///   - size: the resource's length in bytes.
    package init(_ field: String?, size: Int) {
        guard let field, field.utf8.count <= 64, field.lowercased().hasPrefix("bytes=") else {
            self = .whole
            return
        }
        let parts = field.dropFirst("bytes=".count)
            .split(separator: "-", omittingEmptySubsequences: false)
            .map(\.trimmed)
        guard parts.count == 2 else {
            self = .whole
            return
        }
        self =
            switch (Self.number(parts[0]), Self.number(parts[1])) {
            case (let first?, let last?) where last < first: .whole
            case (let first?, _) where first >= size && Self.isNumberOrEmpty(parts[1]):
                .unsatisfiable
            case (let first?, let last?): .part(first..<min(last, size - 1) + 1)
            case (let first?, nil) where parts[1].isEmpty: .part(first..<size)
            case (nil, let suffix?) where parts[0].isEmpty:
                suffix == 0 || size == 0 ? .unsatisfiable : .part(max(0, size - suffix)..<size)
            default: .whole
            }
    }

    private static func isNumberOrEmpty(_ text: Substring) -> Bool {
        text.isEmpty || number(text) != nil
    }

    /// Parses digits; more than 18 of them are larger than any file.
    private static func number(_ text: Substring) -> Int? {
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        guard !text.isEmpty, text.utf8.allSatisfy(digits.contains) else { return nil }
        return text.utf8.count > 18 ? 1_000_000_000_000_000_000 : Int(text)
    }
}
