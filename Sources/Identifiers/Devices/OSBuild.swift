/// A build number of iOS or a related system, as a device reports it: `21E236`, `23A5260n`.
package struct OSBuild: Hashable, Sendable {
    package let rawValue: String
    private let train: Int
    private let letter: UInt8

    /// - Returns: nil unless the text is two digits, a capital letter, up to seven digits and, for betas
    ///   and security responses, a small letter.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        guard (4...11).contains(bytes.count), let train = Int(text.prefix(2)),
            bytes[..<2].allSatisfy(digits.contains),
            (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(bytes[2])
        else { return nil }
        let number = bytes[3...].prefix(while: digits.contains)
        let rest = bytes[3...].dropFirst(number.count)
        guard (1...7).contains(number.count), rest.count <= 1,
            rest.allSatisfy((UInt8(ascii: "a")...UInt8(ascii: "z")).contains)
        else { return nil }
        rawValue = text
        self.train = train
        letter = bytes[2]
    }

    /// The minimum version of iOS or iPadOS to which the build belongs; nil for other systems.
    ///
    /// The two digits stand for the major version and the letter for the minor version. A build does not
    /// include the third number, and before iOS 12 the second one is left out.
    package var version: OSVersion? {
        guard (UInt8(ascii: "A")...UInt8(ascii: "I")).contains(letter) else { return nil }
        let position = Int(letter - UInt8(ascii: "A"))
        switch train {
        case 8..<16: return OSVersion(major: train - 4)
        case 16..<19:
            let minors = Self.irregular[train - 16]
            return OSVersion(major: train - 4, minor: minors[min(position, minors.count - 1)])
        case 19..<23: return OSVersion(major: train - 4, minor: position)
        // Since 2025, version numbers follow the year.
        case 23...: return OSVersion(major: train + 3, minor: position)
        default: return nil
        }
    }

    /// The minor versions of iOS 12, 13 and 14, for which some letters are patch releases.
    private static let irregular = [
        [0, 1, 1, 1, 2, 3, 4, 5], [0, 2, 3, 3, 4, 5, 6, 7], [0, 2, 3, 4, 5, 6, 7, 8],
    ]
}

extension OSBuild: CustomStringConvertible {
    package var description: String { rawValue }
}
