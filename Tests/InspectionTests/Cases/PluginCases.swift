import Inspection
import PropertyLists
import Sample

extension BundleDraft {
    /// Sets a key of the extension's NSExtension, or removes it.
    fileprivate func declaring(_ key: String, _ value: PropertyList?) -> BundleDraft {
        var draft = self
        guard case .dictionary(var keys)?? = draft.info["NSExtension"] else { return draft }
        keys[key] = value
        draft.info["NSExtension"] = .dictionary(keys)
        return draft
    }

    fileprivate func attributes(_ attributes: [String: PropertyList]) -> BundleDraft {
        declaring("NSExtensionAttributes", .dictionary(attributes))
    }
}

extension RuleCase {
    private static let info = "/PlugIns/Ext.appex/Info.plist"
    private static let program = "/PlugIns/Ext.appex/Ext"
    private static let engine = "com.apple.web-browser-engine."
    private static let engineClaim = "com.apple.developer.web-browser-engine."
    private static let second = "/PlugIns/Second.appex/Info.plist"

    private static func siri(
        _ supported: PropertyList?,
        restricted: PropertyList? = nil,
        named name: String = "Ext",
    ) -> BundleDraft {
        var attributes: [String: PropertyList] = [:]
        attributes["IntentsSupported"] = supported
        attributes["IntentsRestrictedWhileLocked"] = restricted
        return .appExtension(name, point: "com.apple.intents-service", principalClass: "Handler")
            .attributes(attributes)
    }

    private static func strings(_ strings: String...) -> PropertyList {
        .array(strings.map(PropertyList.string))
    }

    /// The declarations of each extension, and kinds of which an app may have only one.
    static let plugin: [RuleCase] = declarations + siriKeys + siblings

    private static let declarations: [RuleCase] = [
        RuleCase("plugin.declaration-missing", at: info) {
            $0.nesting(.shareExtension("Ext")) { $0.info["NSExtension"] = .some(nil) }
        },
        RuleCase("plugin.declaration-missing", at: info) {
            $0.nesting(.shareExtension("Ext")) { $0.info["NSExtension"] = .string("share") }
        },
        RuleCase("plugin.attributes-malformed", at: info) {
            $0.nesting(.shareExtension("Ext").declaring("NSExtensionAttributes", .array([])))
        },
        RuleCase("plugin.name-missing", at: info) {
            $0.nesting(.shareExtension("Ext")) { $0.info["CFBundleName"] = .some(nil) }
        },
        RuleCase("plugin.point-missing", at: info) {
            $0.nesting(.shareExtension("Ext").declaring("NSExtensionPointIdentifier", nil))
        },
        RuleCase("plugin.point-missing", at: info) {
            $0.nesting(.shareExtension("Ext").declaring("NSExtensionPointIdentifier", .integer(1)))
        },
        RuleCase("plugin.point-invalid", at: info) {
            $0.nesting(.appExtension("Ext", point: "share services", principalClass: "Share"))
        },
        RuleCase("plugin.point-unknown", .notes, at: info) {
            $0.nesting(.appExtension("Ext", point: "com.apple.no-such-point"))
        },
        RuleCase("plugin.point-unknown", .warns, at: info) {
            $0.nesting(.appExtension("Ext", point: "com.example.point"))
        },
        RuleCase("plugin.point-of-mac", at: info) {
            $0.nesting(.appExtension("Ext", point: "com.apple.FinderSync", principalClass: "Sync"))
        },
        RuleCase("plugin.browser-engine-missing", at: program) {
            $0.nesting(.appExtension("Ext", point: engine + "content")).minimumOS("17.4")
        },
        RuleCase("plugin.browser-engine-missing", at: program) {
            $0.nesting(.appExtension("Ext", point: engine + "networking")) {
                $0.entitlements[engineClaim + "networking"] = .boolean(false)
            }
            .minimumOS("17.4")
        },
        RuleCase("plugin.browser-engine-foreign", at: program) {
            $0.nesting(.shareExtension("Ext")) {
                $0.entitlements[engineClaim + "webcontent"] = .boolean(true)
            }
        },
        RuleCase("plugin.browser-engine-foreign", at: program) {
            $0.nesting(.appExtension("Ext", point: engine + "content")) {
                $0.entitlements[engineClaim + "webcontent"] = .boolean(true)
                $0.entitlements[engineClaim + "rendering"] = .boolean(true)
            }
            .minimumOS("17.4")
        },
        RuleCase("plugin.browser-engine-transfer", at: program) {
            $0.nesting(.appExtension("Ext", point: engine + "content")) {
                $0.entitlements[engineClaim + "webcontent"] = .boolean(true)
                $0.entitlements["com.apple.developer.memory.transfer-accept"] =
                    .string("com.example.other")
            }
            .minimumOS("17.4")
        },
        RuleCase("plugin.browser-engine-transfer", at: program) {
            $0.nesting(.appExtension("Ext", point: engine + "rendering")) {
                $0.entitlements[engineClaim + "rendering"] = .boolean(true)
                $0.entitlements["com.apple.developer.memory.transfer-send"] =
                    .string("com.example.other")
            }
            .minimumOS("17.4")
        },
        RuleCase("plugin.point-newer", .warns, at: info) {
            $0.nesting(.widget("Ext")) { $0.minimumOS = "13.0" }
        },
        RuleCase("plugin.newer-than-app", .notes, at: info) {
            $0.nesting(.widget("Ext")) { $0.minimumOS = "17.0" }
        },
        RuleCase("plugin.entry-missing", at: info) {
            $0.nesting(.shareExtension("Ext").declaring("NSExtensionPrincipalClass", nil))
        },
        RuleCase("plugin.entry-missing", at: info) {
            $0.nesting(.shareExtension("Ext").declaring("NSExtensionPrincipalClass", .string("")))
        },
        RuleCase("plugin.entry-prohibited", at: info) {
            $0.nesting(.widget("Ext").declaring("NSExtensionPrincipalClass", .string("Widget")))
        },
        RuleCase("plugin.entry-prohibited", .warns, at: info) {
            $0.nesting(
                .appExtension(
                    "Ext",
                    point: "com.apple.deviceactivityui.report-extension",
                    principalClass: "Report",
                )
            ) { $0.minimumOS = "16.0" }.minimumOS("16.0")
        },
    ]

    private static let siriKeys: [RuleCase] = [
        RuleCase("plugin.intents-missing", at: info) { $0.nesting(siri(nil)) },
        RuleCase("plugin.intents-missing", at: info) { $0.nesting(siri(.array([]))) },
        RuleCase("plugin.intents-missing", at: info) {
            $0.nesting(siri(.array([.integer(1)])))
        },
        RuleCase("plugin.intents-missing", .warns, at: info) {
            $0.nesting(siri(nil).declaring("NSExtensionAttributes", nil))
        },
        RuleCase("plugin.intents-restricted-malformed", at: info) {
            $0.nesting(siri(strings("INSendMessageIntent"), restricted: .boolean(true)))
        },
        RuleCase("plugin.intents-restricted-foreign", at: info) {
            $0.nesting(
                siri(strings("INSendMessageIntent"), restricted: strings("INStartCallIntent"))
            )
        },
        RuleCase("plugin.intents-shared", at: second) {
            $0.nesting(
                siri(strings("INSendMessageIntent", "INStartCallIntent"), named: "First"),
                siri(strings("INStartCallIntent"), named: "Second"),
            )
        },
        RuleCase(
            "plugin.watch-intents-foreign",
            at: "/Watch/Watch.app/PlugIns/Siri.appex/Info.plist",
        ) {
            $0.nesting(siri(strings("INStartCallIntent"))).nesting(
                .watchApplication(
                    "Watch",
                    identifier: "com.example.app.watch",
                    companion: "com.example.app",
                )
            ) {
                $0.nested = [
                    siri(strings("INStartCallIntent", "INSendMessageIntent"), named: "Siri")
                ]
            }
        },
    ]

    private static let siblings: [RuleCase] = [
        RuleCase("plugin.several-file-providers", at: second) {
            $0.nesting(
                .appExtension("First", point: "com.apple.fileprovider-nonui", principalClass: "A"),
                .appExtension(
                    "Second",
                    point: "com.apple.fileprovider-nonui",
                    principalClass: "B",
                ),
            )
        },
        RuleCase("plugin.several-message-extensions", at: second) {
            $0.nesting(
                .appExtension("First", point: messages, principalClass: "A"),
                .appExtension("Second", point: messages, principalClass: "B"),
            )
        },
        RuleCase("plugin.message-app-empty", at: "/Info.plist") {
            $0.info("LSApplicationLaunchProhibited", .boolean(true))
        },
        RuleCase("plugin.message-app-foreign", at: info) {
            $0.info("LSApplicationLaunchProhibited", .boolean(true)).nesting(
                .appExtension("Messages", point: messages, principalClass: "A"),
                .shareExtension("Ext"),
            )
        },
    ]

    private static let messages = "com.apple.message-payload-provider"
}
