/// Bytewise comparisons for untrusted text on which a decision depends.
///
/// `String` compares characters as readers see them: `"?\u{301}"` is one character and contains no `?`,
/// `"\r\n"` is one and contains no `"\n"`, and U+212A equals `K`. Phones, git and shells compare bytes,
/// so decisions about prefixes and separators must use these functions. ASCII text needs them only for
/// line ends.
extension StringProtocol {
    /// Whether the text begins with the bytes of `prefix`.
    package func hasBytes(first prefix: some StringProtocol) -> Bool {
        utf8.starts(with: prefix.utf8)
    }

    /// Whether the text ends with the bytes of `suffix`.
    package func hasBytes(last suffix: some StringProtocol) -> Bool {
        utf8.reversed().starts(with: suffix.utf8.reversed())
    }

    /// Whether the text ends with the bytes of `suffix`, which must be lower-case ASCII, in upper or
    /// lower case.
    package func hasBytes(lastInAnyCase suffix: some StringProtocol) -> Bool {
        let bytes = utf8.reversed().lazy.map { ascii in
            (0x41...0x5A).contains(ascii) ? ascii | 0x20 : ascii
        }
        return bytes.starts(with: suffix.utf8.reversed())
    }

    /// The text before the bytes of `suffix` at its end; nil if it does not end with them.
    package func dropping(lastBytes suffix: some StringProtocol) -> String? {
        guard hasBytes(last: suffix) else { return nil }
        return String(decoding: utf8.dropLast(suffix.utf8.count), as: UTF8.self)
    }

    /// Whether both have the same bytes.
    package func isBytes(of other: some StringProtocol) -> Bool {
        utf8.elementsEqual(other.utf8)
    }

    /// Whether the text contains the bytes of `part`.
    package func containsBytes(of part: some StringProtocol) -> Bool {
        utf8.firstRange(ofBytes: part.utf8) != nil
    }

    /// The parts between the occurrences of `mark`, which must be ASCII.
    package func split(
        atByte mark: Unicode.Scalar,
        maxSplits: Int = .max,
        omittingEmptySubsequences: Bool = true,
    ) -> [SubSequence] {
        utf8.split(
            separator: UInt8(ascii: mark),
            maxSplits: maxSplits,
            omittingEmptySubsequences: omittingEmptySubsequences,
        )
        .map { self[$0.startIndex..<$0.endIndex] }
    }

    /// The text before the first `mark`, which must be ASCII; the whole text if there is none.
    package func prefix(beforeByte mark: Unicode.Scalar) -> SubSequence {
        self[..<(firstIndex(ofByte: mark) ?? endIndex)]
    }

    /// The index of the first `mark`, which must be ASCII.
    package func firstIndex(ofByte mark: Unicode.Scalar) -> Index? {
        utf8.firstIndex(of: UInt8(ascii: mark))
    }

    /// The lines, whether they end with `\n`, `\r\n` or `\r`.
    package var textLines: [SubSequence] {
        split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" || $0 == "\r" }
    }
}
