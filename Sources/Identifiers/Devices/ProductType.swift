import Bytes

/// Apple's machine-readable identifier of a hardware model: `iPhone15,2`.
package struct ProductType: Hashable, Sendable {
    package let rawValue: String
    /// The leading letters: `iPhone`, `RealityDevice`.
    package let line: String
    /// The number before the comma, which increases with each year's processors.
    package let generation: Int
    /// The number after the comma, which distinguishes models of one generation.
    package let variant: Int

    /// - Returns: nil unless the text is up to 20 letters and two numbers of up to three digits with a
    ///   comma between them, all in ASCII.
    package init?(_ text: some StringProtocol) {
        guard text.utf8.count <= 27 else { return nil }
        let letters = text.utf8.prefix { Self.isLetter($0) }
        let numbers = text.utf8.dropFirst(letters.count)
            .split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
            .map { String(decoding: Array($0), as: UTF8.self) }
        guard (1...20).contains(letters.count), numbers.count == 2,
            numbers.allSatisfy({ (1...3).contains($0.utf8.count) && $0.utf8.allSatisfy(isDigit) }),
            let generation = Int(numbers[0]), let variant = Int(numbers[1])
        else { return nil }
        rawValue = String(text)
        line = String(decoding: Array(letters), as: UTF8.self)
        self.generation = generation
        self.variant = variant
    }

    /// The family in which Apple counts the device; nil for an unknown product line.
    package var family: ProductFamily? { ProductFamily(line: line) }

    /// Whether this model is of a later generation, or a later model of the same one.
    ///
    /// Generations of different product lines are not comparable.
    package func isNewer(than other: ProductType) -> Bool {
        (generation, variant) > (other.generation, other.variant)
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }
}

private func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
}

extension ProductType: CustomStringConvertible {
    package var description: String { rawValue }
}

extension ProductType: TextCoded {
    package init?(_ text: String) {
        self.init(text[...])
    }

    package static let kindOfText = "a product type such as iPhone15,2"
}
