import Bundles
import Bytes
import Identifiers
import PropertyLists

/// Checks a watch app against its companion.
enum WatchRules {
    static func findings(in input: InspectionInput) -> [Finding] {
        let host = input.application
        guard let companion = host.info.bundleIdentifier else { return [] }
        let watches = host.nested.filter { $0.kind == .watchApplication && $0.defects.isEmpty }
        return watches.flatMap { watch in
            prefix(of: watch, under: companion) + companionKey(of: watch, in: host, companion)
                + family(of: watch) + parts(of: watch, in: input.archive)
                + watch.nested.flatMap { watchKey(of: $0, in: watch) }
        }
            + several(watches)
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
        in host: AppBundle,
        _ companion: BundleIdentifier,
    ) -> [Finding] {
        guard watch.info.values["WKWatchOnly"]?.boolean != true else {
            guard !host.isWatchContainer else {
                return [
                    Rule.watchOnly.inference(
                        "The app is the container of a watch app without a companion, which the App "
                            + "Store unwraps.",
                        at: watch.infoPlace,
                    )
                ]
            }
            return [
                Rule.watchOnly.finding(
                    "The watch app says that it has no companion (WKWatchOnly), but is inside an app.",
                    at: watch.infoPlace,
                )
            ]
        }
        guard let named = watch.info.companionIdentifier else {
            return [
                Rule.wrongCompanion.finding(
                    "The watch app names no companion (WKCompanionAppBundleIdentifier).",
                    at: watch.infoPlace,
                )
            ]
        }
        guard named != companion.rawValue else { return [] }
        return [
            Rule.wrongCompanion.finding(
                "WKCompanionAppBundleIdentifier is \(quoted: named), but the app that contains the "
                    + "watch app is \(quoted: companion.rawValue).",
                at: watch.infoPlace,
            )
        ]
    }

    private static func watchKey(of bundle: AppBundle, in watch: AppBundle) -> [Finding] {
        guard bundle.kind == .appExtension, bundle.defects.isEmpty,
            let own = watch.info.bundleIdentifier?.rawValue
        else { return [] }
        let isWatchKits = bundle.info.extensionPoint == "com.apple.watchkit"
        guard let named = bundle.info.watchAppIdentifier else {
            guard isWatchKits else { return [] }
            return [
                Rule.wrongWatchApp.finding(
                    "The WatchKit extension names no watch app (WKAppBundleIdentifier).",
                    at: bundle.infoPlace,
                )
            ]
        }
        guard named != own else { return [] }
        let message =
            "WKAppBundleIdentifier is \(quoted: named), but the watch app is \(quoted: own)."
        return [
            isWatchKits
                ? Rule.wrongWatchApp.finding(message, at: bundle.infoPlace)
                : Rule.wrongWatchApp.inference(message, at: bundle.infoPlace)
        ]
    }
}
