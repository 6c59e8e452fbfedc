import Bundles
import Bytes
import PropertyLists

/// The URL schemes that an app must open in order to replace one of Apple's as the default.
extension EntitlementRules {
    static func schemes(of input: InspectionInput) -> [Finding] {
        let application = input.application
        guard application.defects.isEmpty, let claims = input.claims(of: application) else {
            return []
        }
        let types = application.info.values["CFBundleURLTypes"]?.array ?? []
        let opened = types.flatMap { $0["CFBundleURLSchemes"]?.array ?? [] }
            .compactMap { $0.string?.lowercased() }
        return needed.compactMap { key, schemes in
            let missing = Set(schemes).subtracting(opened).sorted()
            guard claims[key]?.boolean == true, !missing.isEmpty else { return nil }
            return Rule.schemesMissing.finding(
                "The app claims \(key), but its CFBundleURLTypes lack \(quoted: missing): iOS does "
                    + "not offer it as the default.",
                at: application.infoPlace,
            )
        }
    }

    /// "Preparing your app to be the default web browser or email client" (Xcode).
    private static let needed = [
        ("com.apple.developer.mail-client", ["mailto"]),
        ("com.apple.developer.web-browser", ["http", "https"]),
    ]
}
