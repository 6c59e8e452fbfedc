import Foundation

/// Parses an IPA's description in MANIFEST.tsv.
enum ManifestFacts {
    struct Bundle {
        let path: String
        let identifier: String?
        let minimumOS: String?
        let profileType: String?
        let expiresDay: String?
        let devices: Int?

        var expires: Date? {
            expiresDay.flatMap { try? Date($0, strategy: .iso8601.year().month().day()) }
        }
    }

    /// The bundles of a line such as `10 entries; Payload/X.app/ id=… min=… prof=ad-hoc/exp …/dev 1`.
    static func bundles(in facts: String) -> [Bundle] {
        guard let start = facts.firstRange(of: "; ") else { return [] }
        return facts[start.upperBound...].split(separator: " || ").compactMap { text in
            guard let end = text.firstRange(of: "/ id=") else { return nil }
            let profile = value("prof=", in: text, until: " [")?.split(separator: "/")
            return Bundle(
                path: String(text[..<end.lowerBound]),
                identifier: value("id=", in: text),
                minimumOS: value("min=", in: text),
                profileType: profile?.first.map(String.init),
                expiresDay: profile?.dropFirst().first.map { String($0.dropFirst("exp ".count)) },
                devices: profile?.last.flatMap { Int($0.dropFirst("dev ".count)) },
            )
        }
    }

    private static func value(
        _ key: String,
        in text: Substring,
        until end: String = " ",
    ) -> String? {
        guard let start = text.firstRange(of: " " + key) else { return nil }
        let rest = text[start.upperBound...]
        let value = rest[..<(rest.firstRange(of: end)?.lowerBound ?? rest.endIndex)]
        return value == "None" ? nil : String(value)
    }
}
