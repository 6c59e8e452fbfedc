import Bundles
import Bytes
import PropertyLists

/// Checks the extensions of one bundle against each other.
extension PluginRules {
    static func siblings(_ plugins: [AppExtension], in host: AppBundle) -> [Finding] {
        let alone = [
            ("com.apple.fileprovider-nonui", Rule.severalFileProviders),
            ("com.apple.message-payload-provider", Rule.severalMessageExtensions),
            ("com.apple.watchkit", Rule.severalWatchExtensions),
        ]
        return alone.flatMap { point, rule -> [Finding] in
            let same = plugins.filter { !$0.isExtensionKit && $0.point == point }
            return same.dropFirst().map { plugin in
                Complaint(
                    rule,
                    "\(counted: same.count, "extension") of the bundle are for \(quoted: point), "
                        + "but only one is allowed; \(quoted: same[0].bundle.path) is the first",
                    at: plugin.bundle.infoPlace,
                )
            }
            .findings
        }
            + messageApp(plugins, in: host)
            + ["com.apple.intents-service", "com.apple.intents-ui-service"]
            .flatMap { sharedIntents(of: plugins.filter($0)) }
    }

    /// An app that consists only of an iMessage extension (`LSApplicationLaunchProhibited`).
    private static func messageApp(_ plugins: [AppExtension], in host: AppBundle) -> [Finding] {
        let key = host.info.values["LSApplicationLaunchProhibited"]
        guard host.kind == .application, key?.boolean == true || key?.string == "YES",
            !host.isWatchContainer
        else { return [] }
        guard !plugins.isEmpty else {
            return [
                Rule.messageAppEmpty.finding(
                    "The app is not to be opened (LSApplicationLaunchProhibited) and has no "
                        + "extension.",
                    at: host.infoPlace,
                )
            ]
        }
        return plugins.filter { $0.point != "com.apple.message-payload-provider" }.map {
            Complaint(
                .messageAppForeign,
                "The app is not to be opened (LSApplicationLaunchProhibited), but this extension "
                    + "of it is for \(quoted: $0.point ?? "") and not for iMessage",
                at: $0.bundle.infoPlace,
            )
        }
        .findings
    }

    private static func sharedIntents(of plugins: [AppExtension]) -> [Finding] {
        var first: [String: RelativePath] = [:]
        return plugins.compactMap { plugin in
            let intents = plugin.supportedIntents ?? []
            let shared = intents.filter { first[$0] != nil }
            for intent in intents where first[intent] == nil { first[intent] = plugin.bundle.path }
            guard let one = shared.first, let other = first[one] else { return nil }
            return Rule.intentsShared.finding(
                "IntentsSupported has \(quoted: shared), as \(quoted: other) has.",
                at: plugin.bundle.infoPlace,
            )
        }
    }
}

extension AppBundle {
    /// Whether the app is only the container of a watch app without a companion.
    var isWatchContainer: Bool { info.values["ITSWatchOnlyContainer"]?.boolean == true }
}

extension [AppExtension] {
    fileprivate func filter(_ point: String) -> [AppExtension] {
        filter { !$0.isExtensionKit && $0.point == point }
    }
}
