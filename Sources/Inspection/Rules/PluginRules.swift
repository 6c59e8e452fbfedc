import Bundles
import Bytes
import Identifiers
import PropertyLists

/// Checks what the installer requires of app extensions.
///
/// Source: the texts of installd's errors.
enum PluginRules {
    static func findings(in input: InspectionInput) -> [Finding] {
        input.application.everyBundle.flatMap { host in
            let plugins = host.nested.filter { $0.kind == .appExtension && $0.defects.isEmpty }
                .map { AppExtension(bundle: $0, host: host) }
            return plugins.flatMap { findings(on: $0) + browserEngine(of: $0, in: input) }
                + siblings(plugins, in: host)
        }
            + watchIntents(in: input.application)
    }

    private static func findings(on plugin: AppExtension) -> [Finding] {
        name(of: plugin) + newerThanApp(plugin)
            + (declaration(of: plugin) ?? point(of: plugin) + entry(of: plugin)
                + intents(of: plugin))
    }

    private static func name(of plugin: AppExtension) -> [Finding] {
        guard plugin.bundle.info.values["CFBundleName"]?.string?.isEmpty ?? true else { return [] }
        return [
            Rule.pluginNameMissing.finding(
                "The extension has no name (CFBundleName).",
                at: plugin.bundle.infoPlace,
            )
        ]
    }

    /// Reports why an extension does not declare its extension point; nil when it does.
    private static func declaration(of plugin: AppExtension) -> [Finding]? {
        let place = plugin.bundle.infoPlace
        let key = plugin.isExtensionKit ? "EXAppExtensionAttributes" : "NSExtension"
        guard let value = plugin.bundle.info.values[key] else {
            return [Rule.pluginDeclarationMissing.finding("Info.plist has no \(key).", at: place)]
        }
        guard let declaration = value.dictionary else {
            return [
                Rule.pluginDeclarationMissing.finding(
                    "\(key) is \(value.kindTitle), but should be a dictionary.",
                    at: place,
                )
            ]
        }
        guard let attributes = declaration["NSExtensionAttributes"],
            attributes.dictionary == nil, !plugin.isExtensionKit
        else { return nil }
        return [
            Rule.pluginAttributesMalformed.finding(
                "NSExtensionAttributes is \(attributes.kindTitle), but should be a dictionary.",
                at: place,
            )
        ]
    }

    private static func point(of plugin: AppExtension) -> [Finding] {
        let place = plugin.bundle.infoPlace
        let key =
            plugin.isExtensionKit ? "EXExtensionPointIdentifier" : "NSExtensionPointIdentifier"
        guard let value = plugin.declaration?[key] else {
            return [Rule.pluginPointMissing.finding("\(key) is missing.", at: place)]
        }
        guard let name = value.string else {
            return [
                Rule.pluginPointMissing.finding(
                    "\(key) is \(value.kindTitle), but should be a string.",
                    at: place,
                )
            ]
        }
        guard BundleIdentifier(name) != nil else {
            return [
                Rule.pluginPointInvalid.finding(
                    "\(key) is \(quoted: name), which is not of the form com.apple.widget.",
                    at: place,
                )
            ]
        }
        if ExtensionPoint.ofMac.contains(name) {
            return [
                Rule.pluginPointOfMac.finding(
                    "\(key) is \(quoted: name), which exists on macOS but not on iOS.",
                    at: place,
                )
            ]
        }
        guard let point = ExtensionPoint.named(name) else {
            let message = "\(key) is \(quoted: name), which is unknown."
            let isApples = name.hasPrefix("com.apple.")
            return [
                isApples || plugin.isExtensionKit
                    ? Rule.pluginPointUnknown.finding(message, at: place)
                    : Rule.pluginPointUnknown.inference(message, at: place)
            ]
        }
        guard !plugin.isOnWatch, let minimum = plugin.minimumOS, minimum < point.since else {
            return []
        }
        return [
            Rule.pluginPointNewer.finding(
                "The extension supports iOS \(minimum) and later, but iOS has had \(quoted: name) "
                    + "only since \(point.since); devices in between refuse the app.",
                at: place,
            )
        ]
    }

    /// Devices with an older iOS than the extension requires leave it out.
    private static func newerThanApp(_ plugin: AppExtension) -> [Finding] {
        guard !plugin.isOnWatch, let own = plugin.bundle.info.minimumOS,
            let hosts = plugin.host.info.minimumOS, own > hosts
        else { return [] }
        return [
            Rule.pluginNewerThanApp.finding(
                "The extension needs iOS \(own) and the app \(hosts); devices in between get the "
                    + "app without it. Apple does not document this.",
                at: plugin.bundle.infoPlace,
            )
        ]
    }

    private static func entry(of plugin: AppExtension) -> [Finding] {
        guard !plugin.isExtensionKit, let point = plugin.point.flatMap(ExtensionPoint.named),
            let declaration = plugin.declaration
        else { return [] }
        let entries = ["NSExtensionMainStoryboard", "NSExtensionPrincipalClass"].filter {
            declaration[$0]?.string?.isEmpty == false
        }
        switch (point.entry, entries.isEmpty) {
        case (.named, true):
            return [
                Rule.pluginEntryMissing.finding(
                    "NSExtension names neither a principal class nor a storyboard, and "
                        + "\(quoted: point.name) needs one.",
                    at: plugin.bundle.infoPlace,
                )
            ]
        case (.prohibited(let version), false) where plugin.minimumOS ?? version >= point.since:
            return [
                Rule.pluginEntryProhibited.finding(
                    "NSExtension has \(quoted: entries), which \(quoted: point.name) does not "
                        + "allow.",
                    at: plugin.bundle.infoPlace,
                    from: version,
                    minimum: plugin.host.info.minimumOS,
                )
            ]
        default:
            return []
        }
    }
}

/// An app extension and the bundle that contains it.
struct AppExtension {
    let bundle: AppBundle
    let host: AppBundle

    /// Whether it is in ExtensionKit's folder (iOS 16), and so has ExtensionKit's key in its Info.plist.
    var isExtensionKit: Bool { bundle.path.parent == host.path / "Extensions" }

    var isOnWatch: Bool { host.kind == .watchApplication }

    /// The value of `NSExtension`, or of ExtensionKit's counterpart.
    var declaration: [String: PropertyList]? {
        bundle.info.values[isExtensionKit ? "EXAppExtensionAttributes" : "NSExtension"]?.dictionary
    }

    var attributes: [String: PropertyList]? { declaration?["NSExtensionAttributes"]?.dictionary }

    var point: String? {
        declaration?[isExtensionKit ? "EXExtensionPointIdentifier" : "NSExtensionPointIdentifier"]?
            .string
    }

    /// The extension's own minimum version, or else the app's.
    var minimumOS: OSVersion? { bundle.info.minimumOS ?? host.info.minimumOS }
}
