/// A version or build number, ordered numerically: `1.10` is above `1.9` and equals `1.10.0`.
package struct VersionNumber: Comparable {
    private enum Part: Comparable {
        /// Letters come before numbers, as a beta comes before its release.
        case text(String)
        /// The digits without leading zeroes, stored as text because a build number may have any length.
        case number(length: Int, digits: String)
    }

    private let parts: [Part]

    package init(_ text: String) {
        parts = text.split(separator: ".", omittingEmptySubsequences: false).map { part in
            guard part.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
                return .text(String(part))
            }
            let digits = String(part.drop { $0 == "0" })
            return .number(length: digits.utf8.count, digits: digits)
        }
    }

    package static func < (left: VersionNumber, right: VersionNumber) -> Bool {
        for index in 0..<max(left.parts.count, right.parts.count)
        where left.part(index) != right.part(index) {
            return left.part(index) < right.part(index)
        }
        return false
    }

    package static func == (left: VersionNumber, right: VersionNumber) -> Bool {
        !(left < right) && !(right < left)
    }

    private func part(_ index: Int) -> Part {
        index < parts.count ? parts[index] : .number(length: 0, digits: "")
    }
}
