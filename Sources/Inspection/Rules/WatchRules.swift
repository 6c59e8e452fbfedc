import Bundles
import Bytes

/// A watch app against its companion: catalogue rows 60 to 62.
enum WatchRules {
    static func findings(in specimen: Specimen) -> [Finding] {
        let host = specimen.application
        guard let companion = host.info.bundleIdentifier else { return [] }
        return host.nested.filter { $0.kind == .watchApplication && $0.defects.isEmpty }
            .flatMap { watch in
                prefix(of: watch, under: companion) + companionKey(of: watch, companion)
                    + watch.nested.flatMap { watchKey(of: $0, in: watch) }
            }
    }

    private static func prefix(
        of watch: AppBundle,
        under companion: BundleIdentifier,
    ) -> [Finding] {
        guard let own = watch.info.bundleIdentifier, own.suffix(under: companion) == nil else {
            return []
        }
        return [
            Rule.watchNotPrefixed.finding(
                "The watch app's bundle identifier \(quoted: own.rawValue) does not begin with "
                    + "\(quoted: companion.rawValue + "."), its companion's.",
                at: watch.infoPlace,
            )
        ]
    }

    private static func companionKey(
        of watch: AppBundle,
        _ companion: BundleIdentifier,
    ) -> [Finding] {
        guard let named = watch.info.companionIdentifier else {
            return [
                Rule.wrongCompanion.inference(
                    "The watch app names no companion (WKCompanionAppBundleIdentifier).",
                    at: watch.infoPlace,
                )
            ]
        }
        guard named != companion.rawValue else { return [] }
        return [
            Rule.wrongCompanion.finding(
                "WKCompanionAppBundleIdentifier is \(quoted: named), and the app around the watch "
                    + "app is \(quoted: companion.rawValue).",
                at: watch.infoPlace,
            )
        ]
    }

    private static func watchKey(of bundle: AppBundle, in watch: AppBundle) -> [Finding] {
        guard bundle.kind == .appExtension, let named = bundle.info.watchAppIdentifier,
            let own = watch.info.bundleIdentifier?.rawValue, named != own
        else { return [] }
        return [
            Rule.wrongWatchApp.finding(
                "WKAppBundleIdentifier is \(quoted: named), and the watch app is \(quoted: own).",
                at: bundle.infoPlace,
            )
        ]
    }
}

extension Rule {
    static let watch = [watchNotPrefixed, wrongCompanion, wrongWatchApp]

    fileprivate static let watchNotPrefixed = Rule(
        "watch.identifier-not-prefixed",
        .blocks,
        "The watch app's identifier does not begin with its companion's",
        mend: "Set the watch app's PRODUCT_BUNDLE_IDENTIFIER to the app's, a dot and a word.",
        appleCode: "0xe80000d9",
    )
    fileprivate static let wrongCompanion = Rule(
        "watch.companion-mismatch",
        .blocks,
        "The watch app names another companion",
        mend: "Set WKCompanionAppBundleIdentifier in the watch app's Info.plist to the app's "
            + "bundle identifier.",
        appleCode: "0xe80000d5",
    )
    fileprivate static let wrongWatchApp = Rule(
        "watch.extension-mismatch",
        .blocks,
        "The watch extension names another watch app",
        mend: "Set WKAppBundleIdentifier in the extension's Info.plist to the watch app's bundle "
            + "identifier.",
        appleCode: "0xe80000c1",
    )
}
