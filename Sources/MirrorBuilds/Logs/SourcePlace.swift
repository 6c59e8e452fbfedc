/// A place in a source file as compilers write it: `Sources/App.swift:12:5`.
struct SourcePlace {
    let file: ArraySlice<UInt8>
    /// From 1; nil if only a file is named.
    let line: Int?

    /// Nil for an empty text.
    init?(_ text: ArraySlice<UInt8>) {
        guard !text.isEmpty else { return nil }
        let (front, last) = Self.split(text)
        guard let last else {
            (file, line) = (text, nil)
            return
        }
        let (file, number) = Self.split(front)
        (self.file, line) = number.map { (file, $0) } ?? (front, last)
    }

    /// Splits off a number after the last colon.
    private static func split(_ text: ArraySlice<UInt8>) -> (ArraySlice<UInt8>, Int?) {
        guard let colon = text.lastIndex(of: UInt8(ascii: ":")), colon > text.startIndex else {
            return (text, nil)
        }
        let digits = text[(colon + 1)...]
        guard (1...7).contains(digits.count),
            digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { return (text, nil) }
        let number = digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
        return (text[..<colon], number)
    }
}
