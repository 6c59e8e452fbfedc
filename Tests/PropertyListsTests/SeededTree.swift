import Foundation
import PropertyLists
import TestSupport

/// Pseudorandom property lists, the same for the same seed.
struct SeededTree {
    private var generator: SeededGenerator
    /// Leaves out UIDs, large unsigned numbers and unusual characters, which Foundation cannot represent.
    private let isPlain: Bool

    init(seed: UInt64, isPlain: Bool = false) {
        generator = SeededGenerator(seed: seed)
        self.isPlain = isPlain
    }

    mutating func tree(depth: Int = 4) -> PropertyList {
        let kinds = depth > 0 ? 0..<11 : 0..<8
        switch Int.random(in: kinds, using: &generator) {
        case 0: return .string(text())
        case 1: return .integer(Int64(bitPattern: number()))
        case 2: return isPlain ? .integer(7) : .unsigned(number() | 1 << 63)
        case 3: return .real(Double(Int64(bitPattern: number())) / 1024)
        case 4: return .boolean(Bool.random(using: &generator))
        case 5:
            return .date(
                Date(timeIntervalSinceReferenceDate: Double(Int32(truncatingIfNeeded: number())))
            )
        case 6:
            return .data(
                (0..<Int.random(in: 0...200, using: &generator)).map { _ in
                    UInt8(truncatingIfNeeded: generator.next())
                }
            )
        case 7: return isPlain ? .boolean(true) : .uid(number() >> 1)
        case 8:
            return .array(
                (0..<Int.random(in: 0...20, using: &generator)).map { _ in tree(depth: depth - 1) }
            )
        default:
            var pairs: [String: PropertyList] = [:]
            for _ in 0..<Int.random(in: 0...20, using: &generator) {
                pairs[text()] = tree(depth: depth - 1)
            }
            return .dictionary(pairs)
        }
    }

    /// A number of random width.
    private mutating func number() -> UInt64 {
        generator.next() >> UInt64.random(in: 0...63, using: &generator)
    }

    private mutating func text() -> String {
        let pieces = [
            "a", "Z9", " ", "\t", "\n", "\r", "<", ">", "&", "\"", "é", "e\u{301}", "ß", "שלום",
            "🚀", "👩‍👩‍👧", "\u{202E}", "]]>", "&amp;", "\u{7F}", "\u{FFFD}",
        ]
        let simple = ["a", "b", "Z9", " ", "<", "&", "é", "🚀"]
        return (0..<Int.random(in: 0...12, using: &generator))
            .map { _ in (isPlain ? simple : pieces).randomElement(using: &generator) ?? "" }
            .joined()
    }
}
