import Bundles
import Bytes
import PropertyLists

/// Checks the keys of Siri extensions.
extension PluginRules {
    static func intents(of plugin: AppExtension) -> [Finding] {
        guard plugin.isForIntents else { return [] }
        let place = plugin.bundle.infoPlace
        guard let attributes = plugin.attributes else {
            return [
                Rule.intentsMissing.inference(
                    "The extension has no NSExtensionAttributes and so no IntentsSupported.",
                    at: place,
                )
            ]
        }
        guard let supported = plugin.supportedIntents, !supported.isEmpty else {
            return [
                Rule.intentsMissing.finding(
                    "IntentsSupported \(state(of: attributes["IntentsSupported"])); it names the "
                        + "intents that the extension handles.",
                    at: place,
                )
            ]
        }
        guard let value = attributes["IntentsRestrictedWhileLocked"] else { return [] }
        guard let restricted = value.strings else {
            return [
                Rule.restrictedMalformed.finding(
                    "IntentsRestrictedWhileLocked \(state(of: value)); it is an array of strings.",
                    at: place,
                )
            ]
        }
        let handled = Set(supported)
        let foreign = restricted.filter { !handled.contains($0) }
        guard !foreign.isEmpty else { return [] }
        return [
            Rule.restrictedForeign.finding(
                "IntentsRestrictedWhileLocked has \(quoted: foreign), which IntentsSupported has "
                    + "not.",
                at: place,
            )
        ]
    }

    private static func state(of value: PropertyList?) -> String {
        guard let value else { return "is missing" }
        if value.array?.isEmpty == true { return "is empty" }
        return value.array == nil ? "is \(value.kindTitle)" : "has values that are not strings"
    }

    /// The app's extensions must handle every intent that the watch app's extensions handle.
    static func watchIntents(in application: AppBundle) -> [Finding] {
        let apps = Set(siriExtensions(of: application).flatMap { $0.supportedIntents ?? [] })
        return application.nested.filter { $0.kind == .watchApplication }.flatMap { watch in
            (siriExtensions(of: watch) + watch.nested.flatMap(siriExtensions)).compactMap {
                plugin -> Finding? in
                let foreign = (plugin.supportedIntents ?? []).filter { !apps.contains($0) }
                guard !foreign.isEmpty else { return nil }
                return Rule.watchIntentsForeign.finding(
                    "IntentsSupported has \(quoted: foreign), which no Siri extension of the app "
                        + "on the phone has.",
                    at: plugin.bundle.infoPlace,
                )
            }
        }
    }

    private static func siriExtensions(of host: AppBundle) -> [AppExtension] {
        host.nested.filter { $0.kind == .appExtension && $0.defects.isEmpty }
            .map { AppExtension(bundle: $0, host: host) }
            .filter { !$0.isExtensionKit && $0.point == "com.apple.intents-service" }
    }
}

extension AppExtension {
    var isForIntents: Bool {
        !isExtensionKit
            && ["com.apple.intents-service", "com.apple.intents-ui-service"].contains(point)
    }

    /// Nil unless the value is an array of strings.
    var supportedIntents: [String]? { attributes?["IntentsSupported"]?.strings }
}
