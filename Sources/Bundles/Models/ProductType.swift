import Bytes

/// What Apple calls a model of hardware where machines read it: `iPhone15,2`.
package struct ProductType: Hashable, Sendable {
    package let rawValue: String
    /// The letters before the numbers: `iPhone`, `RealityDevice`.
    package let line: String

    /// - Returns: nil unless the text is at most 20 letters, and two numbers of at most three
    ///   digits with a comma between them; all ASCII.
    package init?(_ text: String) {
        guard text.utf8.count <= 27 else { return nil }
        let letters = text.utf8.prefix { Self.isLetter($0) }
        let numbers = text.utf8.dropFirst(letters.count)
            .split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        guard (1...20).contains(letters.count), numbers.count == 2,
            numbers.allSatisfy({ (1...3).contains($0.count) && $0.allSatisfy(Self.isDigit) })
        else { return nil }
        rawValue = text
        line = String(decoding: Array(letters), as: UTF8.self)
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}

extension ProductType: CustomStringConvertible {
    package var description: String { rawValue }
}

extension ProductType: TextCoded {
    package static let kindOfText = "a product type such as iPhone15,2"
}
