import Bundles
import Bytes
import PropertyLists

/// Checks the URL schemes that an app opens and those that it queries.
extension LintRules {
    static func schemes(of application: AppBundle, claims: PropertyList?) -> [Finding] {
        queried(by: application) + opened(by: application, claims: claims)
    }

    /// `canOpenURL(_:)` (UIKit): since iOS 15 only this many entries count.
    private static let queryLimit = 50

    private static func queried(by application: AppBundle) -> [Finding] {
        let schemes = application.info.values["LSApplicationQueriesSchemes"]?.array ?? []
        guard schemes.count > queryLimit else { return [] }
        let beyond = schemes.dropFirst(queryLimit).compactMap(\.string)
        return [
            Rule.querySchemes.finding(
                "LSApplicationQueriesSchemes lists \(schemes.count.grouped) schemes, but iOS 15 and later "
                    + "use only the first \(queryLimit), not \(quoted: beyond).",
                at: application.infoPlace,
            )
        ]
    }

    /// "Defining a custom URL scheme for your app" (Xcode), RFC 3986 section 3.1.
    private static func opened(by application: AppBundle, claims: PropertyList?) -> [Finding] {
        let types = application.info.values["CFBundleURLTypes"]?.array ?? []
        let schemes = types.flatMap { $0["CFBundleURLSchemes"]?.array ?? [] }.compactMap(\.string)
        let counts = Dictionary(schemes.map { ($0.lowercased(), 1) }, uniquingKeysWith: +)
        let place = application.infoPlace
        var findings: [Finding] = []
        let invalid = counts.keys.filter { !isScheme($0) }.sorted()
        if !invalid.isEmpty {
            findings.append(
                Rule.schemeInvalid.finding(
                    "CFBundleURLTypes has \(quoted: invalid): a scheme is a letter, then letters, "
                        + "digits, hyphens, dots and plus signs, without \"://\".",
                    at: place,
                )
            )
        }
        let taken = counts.keys.filter { isApples($0, claims: claims) }.sorted()
        if !taken.isEmpty {
            findings.append(
                Rule.schemeReserved.finding(
                    "CFBundleURLTypes has \(quoted: taken): iOS opens its own app for it.",
                    at: place,
                )
            )
        }
        let repeated = counts.filter { $0.value > 1 && isScheme($0.key) }.keys.sorted()
        if !repeated.isEmpty {
            findings.append(
                Rule.schemeRepeated.finding(
                    "CFBundleURLTypes has \(quoted: repeated) more than once.",
                    at: place,
                )
            )
        }
        return findings
    }

    private static func isScheme(_ text: String) -> Bool {
        guard let first = text.utf8.first, isLetter(first) else { return false }
        return text.utf8.allSatisfy { byte in
            isLetter(byte) || (0x30...0x39).contains(byte) || [0x2B, 0x2D, 0x2E].contains(byte)
        }
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }

    /// Whether iOS reserves the scheme and the app has no entitlement for it.
    private static func isApples(_ scheme: String, claims: PropertyList?) -> Bool {
        guard let entitlements = reserved[scheme] else { return false }
        return !entitlements.contains { claims?["com.apple.developer.\($0)"]?.boolean == true }
    }

    /// "Apple URL Scheme Reference", with the entitlements that let another app open a scheme.
    private static let reserved: [String: [String]] = [
        "http": ["web-browser"], "https": ["web-browser"], "mailto": ["mail-client"],
        "sms": ["messaging-app"], "tel": ["calling-app", "dialing-app"], "facetime": [],
        "facetime-audio": [], "itms": [], "itms-apps": [], "itms-services": [], "maps": [],
        "app-settings": [],
    ]
}

extension Rule {
    static let schemes = [querySchemes, schemeInvalid, schemeReserved, schemeRepeated]

    fileprivate static let querySchemes = Rule(
        "lint.query-schemes",
        .warns,
        "The app queries more schemes than iOS allows",
        fix: "Put the important ones first in LSApplicationQueriesSchemes and remove the rest.",
    )
    fileprivate static let schemeInvalid = Rule(
        "lint.scheme-invalid",
        .warns,
        "A URL scheme of the app is not valid",
        fix: "Correct CFBundleURLSchemes in the target's Info.plist and build again.",
    )
    fileprivate static let schemeReserved = Rule(
        "lint.scheme-reserved",
        .notes,
        "A URL scheme of the app belongs to iOS",
        fix: "Use a scheme of your own or universal links; a browser, mail, calling or messaging "
            + "app needs Apple's entitlement for it.",
    )
    fileprivate static let schemeRepeated = Rule(
        "lint.scheme-repeated",
        .notes,
        "The app lists a URL scheme more than once",
        fix: "Remove the duplicate from CFBundleURLTypes.",
    )
}
