extension Language {
    /// Longer fields are ignored.
    private static let longestField = 512
    /// Tags that are not among ours but have an equivalent: Chinese is written in two scripts.
    private static let others = ["zh": "zh-Hans", "zh-cn": "zh-Hans", "zh-sg": "zh-Hans"]

    /// Returns the best language for an `Accept-Language` field (RFC 9110 12.5.4, looked up as in RFC
    /// 4647 3.4).
    ///
    /// - Parameter field: a value such as `de-CH, fr;q=0.8`; empty for none.
    /// - Returns: the available language that the client prefers; English if there is none.
    package static func preferred(_ field: String) -> Language {
        guard field.utf8.count <= longestField else { return .english }
        var best: (language: Language, weight: Int)?
        for item in field.utf8.split(separator: UInt8(ascii: ",")) {
            let parts = item.split(separator: UInt8(ascii: ";"))
            guard let first = parts.first, let language = Language(range: text(first)) else {
                continue
            }
            let weight =
                parts.dropFirst().map { text($0) }.first { $0.hasPrefix("q=") }
                .map { Self.weight($0.dropFirst(2)) } ?? 1000
            if weight > best?.weight ?? 0 { best = (language, weight) }
        }
        return best?.language ?? .english
    }

    /// Finds the language of a range such as `de-CH`: the longest prefix of it that is one of ``all``.
    private init?(range: String) {
        var parts = range.split(separator: "-")
        while !parts.isEmpty {
            let tag = parts.joined(separator: "-")
            if let found = Self.all.first(where: { $0.tag.lowercased() == tag })
                ?? Self.others[tag].flatMap({ Language(tag: $0) })
            {
                // Clients that request the traditional script must not get the simplified one.
                if found.tag == "zh-Hans", Self.isTraditional(range) { return nil }
                self = found
                return
            }
            parts.removeLast()
        }
        return nil
    }

    private static func isTraditional(_ range: String) -> Bool {
        let parts = range.split(separator: "-").dropFirst()
        guard !parts.contains("hans") else { return false }
        return parts.contains { ["hant", "tw", "hk", "mo"].contains($0) }
    }

    private static func text(_ bytes: Substring.UTF8View) -> String {
        String(Substring(bytes)).filter { $0 != " " && $0 != "\t" }.lowercased()
    }

    /// Returns the weight in thousandths; 0 for anything but a number from 0 to 1.
    private static func weight(_ text: Substring) -> Int {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard let whole = parts.first, whole == "0" || whole == "1", parts.count <= 2 else {
            return 0
        }
        let digits = parts.count == 2 ? parts[1] : ""
        guard digits.count <= 3, digits.allSatisfy({ ("0"..."9").contains($0) }) else { return 0 }
        let fraction = Int((digits + "000").prefix(3)) ?? 0
        return min(1000, (whole == "1" ? 1000 : 0) + fraction)
    }
}
