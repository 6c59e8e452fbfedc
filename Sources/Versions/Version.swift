/// A version of a tag or an app: semantic versioning 2.0.0, with one to three numbers.
///
/// `1.2` is the version 1.2.0, but keeps the text `1.2`.
package struct Version: Sendable, CustomStringConvertible {
    /// Three integers of at most nine digits each.
    package let major, minor, patch: Int
    /// The dot-separated identifiers after the hyphen; empty for a final version.
    package let prerelease: [String]
    /// The identifiers after the plus sign, which do not affect the order.
    package let metadata: [String]
    /// The original text without a leading `v`.
    package let description: String

    /// Parses `1.2.3`, `1.2.3-beta.4` and `1.2.3-rc.1+build.5`.
    ///
    /// - Throws: ``VersionFlaw``.
    package init(_ text: some StringProtocol) throws(VersionFlaw) {
        guard text.utf8.count <= 128 else { throw .tooLong }
        let (front, metadata) = try Self.parts(of: text, after: "+")
        let (core, prerelease) = try Self.parts(of: front, after: "-")
        let numbers = core.split(separator: ".", omittingEmptySubsequences: false)
        guard (1...3).contains(numbers.count) else { throw .numbers(String(core)) }
        var values: [Int] = []
        for number in numbers {
            guard !number.isEmpty, number.utf8.allSatisfy(Self.isDigit) else {
                throw .numbers(String(core))
            }
            guard number.utf8.count <= 9, let value = Int(number) else {
                throw .largeNumber(String(number))
            }
            guard number == "0" || number.first != "0" else { throw .leadingZero(String(number)) }
            values.append(value)
        }
        if let zero = prerelease.first(where: { Self.isNumeric($0) && $0 != "0" && $0.first == "0" }
        ) {
            throw .leadingZero(zero)
        }
        values += Array(repeating: 0, count: 3 - values.count)
        (major, minor, patch) = (values[0], values[1], values[2])
        self.prerelease = prerelease
        self.metadata = metadata
        description = String(text)
    }

    /// The form for Xcode and iOS: three integers.
    package var marketing: String { "\(major).\(minor).\(patch)" }

    package var isPrerelease: Bool { !prerelease.isEmpty }

    private static func parts(
        of text: some StringProtocol,
        after mark: Character,
    ) throws(VersionFlaw) -> (Substring, [String]) {
        let text = Substring(text)
        guard let place = text.firstIndex(of: mark) else { return (text, []) }
        let parts = text[text.index(after: place)...]
            .split(separator: ".", omittingEmptySubsequences: false)
        for part in parts
        where part.isEmpty
            || !part.utf8.allSatisfy({ isDigit($0) || isLetter($0) || $0 == UInt8(ascii: "-") })
        {
            throw .identifier(String(part))
        }
        return (text[..<place], parts.map(String.init))
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    fileprivate static func isNumeric(_ identifier: String) -> Bool {
        identifier.utf8.allSatisfy(isDigit)
    }
}

extension Version: Hashable, Comparable {
    /// Whether both have the same precedence: `1.2` and `1.2.0+5` are equal.
    package static func == (left: Version, right: Version) -> Bool {
        left.numbers == right.numbers && left.prerelease == right.prerelease
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(numbers)
        hasher.combine(prerelease)
    }

    /// The precedence of semantic versioning, § 11.
    package static func < (left: Version, right: Version) -> Bool {
        if left.numbers != right.numbers {
            return left.numbers.lexicographicallyPrecedes(right.numbers)
        }
        guard left.isPrerelease, right.isPrerelease else {
            return left.isPrerelease && !right.isPrerelease
        }
        return left.prerelease.lexicographicallyPrecedes(right.prerelease, by: precedes)
    }

    private var numbers: [Int] { [major, minor, patch] }

    /// Compares numeric identifiers of any length by value, and before others; others by ASCII.
    private static func precedes(_ left: String, _ right: String) -> Bool {
        switch (isNumeric(left), isNumeric(right)) {
        case (true, true) where left.utf8.count != right.utf8.count:
            left.utf8.count < right.utf8.count
        case (true, false): true
        case (false, true): false
        default: left.utf8.lexicographicallyPrecedes(right.utf8)
        }
    }
}
