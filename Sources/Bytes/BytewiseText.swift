/// Comparisons by bytes of text that comes from outside and that decides something.
///
/// `String` compares characters as a reader sees them: `"?\u{301}"` is one character and has no `?`,
/// `"\r\n"` is one and has no `"\n"`, and U+212A is equal to `K`. Phones, git and
/// shells compare bytes, so decisions about prefixes and separators are made with these functions. Text
/// that is known to be ASCII needs them only for line ends.
extension StringProtocol {
    /// Whether the bytes of `prefix` come first.
    package func hasBytes(first prefix: some StringProtocol) -> Bool {
        utf8.starts(with: prefix.utf8)
    }

    /// Whether the bytes of `suffix` come last.
    package func hasBytes(last suffix: some StringProtocol) -> Bool {
        utf8.reversed().starts(with: suffix.utf8.reversed())
    }

    /// Whether the bytes of `suffix`, which is lower-case ASCII, come last, in either case.
    package func hasBytes(lastInAnyCase suffix: some StringProtocol) -> Bool {
        let bytes = utf8.reversed().lazy.map { ascii in
            (0x41...0x5A).contains(ascii) ? ascii | 0x20 : ascii
        }
        return bytes.starts(with: suffix.utf8.reversed())
    }

    /// What stands before the bytes of `suffix`, which come last; nil where they do not.
    package func dropping(lastBytes suffix: some StringProtocol) -> String? {
        guard hasBytes(last: suffix) else { return nil }
        return String(decoding: utf8.dropLast(suffix.utf8.count), as: UTF8.self)
    }

    /// Whether both are the same bytes.
    package func isBytes(of other: some StringProtocol) -> Bool {
        utf8.elementsEqual(other.utf8)
    }

    /// Whether the bytes of `part` are anywhere in it.
    package func containsBytes(of part: some StringProtocol) -> Bool {
        utf8.firstRange(ofBytes: part.utf8) != nil
    }

    /// The parts between each `mark`, which is ASCII.
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

    /// What stands before the first `mark`, which is ASCII; all of it where there is none.
    package func prefix(beforeByte mark: Unicode.Scalar) -> SubSequence {
        self[..<(firstIndex(ofByte: mark) ?? endIndex)]
    }

    /// Where `mark` is first, which is ASCII.
    package func firstIndex(ofByte mark: Unicode.Scalar) -> Index? {
        utf8.firstIndex(of: UInt8(ascii: mark))
    }

    /// The lines, whichever way they end: `\n`, `\r\n` or `\r`.
    package var textLines: [SubSequence] {
        split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" || $0 == "\r" }
    }
}
