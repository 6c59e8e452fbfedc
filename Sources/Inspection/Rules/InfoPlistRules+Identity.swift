import Bundles
import Bytes
import Identifiers
import PropertyLists

/// Finds Apple's bundle identifiers and unresolved references to build settings.
extension InfoPlistRules {
    static func ownership(of application: AppBundle) -> [Finding] {
        guard let identifier = application.info.bundleIdentifier?.rawValue,
            identifier.hasPrefix(SystemApps.prefix)
        else { return [] }
        let place = application.infoPlace
        guard SystemApps.contains(identifier) else {
            return [
                Rule.identifierApples.inference(
                    "The bundle identifier \(quoted: identifier) begins like Apple's own.",
                    at: place,
                )
            ]
        }
        return [
            Rule.identifierSystem.finding(
                "The bundle identifier \(quoted: identifier) is that of a system app.",
                at: place,
            )
        ]
    }

    /// References such as `$(PRODUCT_NAME)`, which the build should have resolved.
    static func placeholders(in bundle: AppBundle) -> [Finding] {
        var search = PlaceholderSearch()
        for (key, value) in (bundle.info.values.dictionary ?? [:]).sorted(by: { $0.key < $1.key })
        where !judgedElsewhere.contains(key) {
            search.look(in: value, at: [key])
        }
        guard let first = search.first else { return [] }
        let others = search.count > 1 ? "; so do \(search.count - 1) more values" : ""
        return [
            Rule.placeholder.finding(
                "\(PrintableText(escaping: first.path)) is \(quoted: first.text), the name of a "
                    + "build setting instead of its value\(others).",
                at: bundle.infoPlace,
            )
        ]
    }

    /// Keys with rules of their own, which report the value.
    private static let judgedElsewhere: Set = [
        "CFBundleIdentifier", "CFBundleExecutable", "CFBundlePackageType", "MinimumOSVersion",
    ]

    /// Whether the text has `$(NAME)` or `${NAME}`, with or without an operator such as
    /// `:rfc1034identifier`.
    static func isPlaceholder(_ text: String) -> Bool {
        var rest = Substring(text.prefix(4096)).utf8
        while let dollar = rest.firstIndex(of: UInt8(ascii: "$")) {
            rest = rest[rest.index(after: dollar)...]
            guard let opening = rest.first, let closing = closings[opening] else { continue }
            let name = rest.dropFirst().prefix(while: isInName)
            let end = rest.dropFirst().dropFirst(name.count).first
            guard let initial = name.first, !digits.contains(initial), end == closing else {
                continue
            }
            return true
        }
        return false
    }

    private static let closings: [UInt8: UInt8] = [
        UInt8(ascii: "("): UInt8(ascii: ")"), UInt8(ascii: "{"): UInt8(ascii: "}"),
    ]

    private static let digits = UInt8(ascii: "0")...UInt8(ascii: "9")

    private static func isInName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            digits, UInt8(ascii: "_"), UInt8(ascii: ":"):
            true
        default: false
        }
    }
}

/// Finds the first placeholder in an Info.plist and counts them.
///
/// A hostile Info.plist may have thousands, below keys of any length.
private struct PlaceholderSearch {
    private(set) var first: (path: String, text: String)?
    private(set) var count = 0
    private var budget = 10_000

    mutating func look(in value: PropertyList, at path: [String]) {
        budget -= 1
        guard budget > 0, path.count <= 16 else { return }
        switch value {
        case .string(let text) where InfoPlistRules.isPlaceholder(text):
            count += 1
            guard first == nil else { return }
            let keys = path.map { String(String.UnicodeScalarView($0.unicodeScalars.prefix(100))) }
            first = (keys.joined(separator: "."), text)
        case .array(let values):
            for value in values { look(in: value, at: path) }
        case .dictionary(let values):
            for (key, value) in values.sorted(by: { $0.key < $1.key }) {
                look(in: value, at: path + [key])
            }
        default: return
        }
    }
}
