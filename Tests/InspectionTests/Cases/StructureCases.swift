import Inspection
import PropertyLists
import Sample

extension RuleCase {
    private static let info = "/Info.plist"
    private static let watchInfo = "/Watch/Watch.app/Info.plist"

    /// Further cases about Info.plist, watch apps and the archive.
    static let structure: [RuleCase] = identities + devices + watchParts

    private static let identities: [RuleCase] = [
        RuleCase("info.placeholder", .warns, at: info) {
            $0.info("CFBundleVersion", .string("$(CURRENT_PROJECT_VERSION)"))
        },
        RuleCase("info.placeholder", .warns, at: info) {
            $0.info(
                "ExampleServices",
                .array([.dictionary(["host": .string("${HOST:lower}.example.com")])]),
            )
        },
        RuleCase("info.placeholder", .warns, at: "/PlugIns/Ext.appex/Info.plist") {
            $0.nesting(.widget("Ext")) {
                $0.info["CFBundleDisplayName"] = .string("$(INFOPLIST_KEY_CFBundleDisplayName)")
            }
        },
        RuleCase("info.identifier-system", at: info) { build in
            build.editing { $0.app.identifier = "com.apple.mobilesafari" }
        },
        RuleCase("info.identifier-apples", .warns, at: info) { build in
            build.editing { $0.app.identifier = "com.apple.example" }
        },
        RuleCase("info.wrong-platform", .warns, at: info) {
            $0.info("CFBundleSupportedPlatforms", nil).info("DTPlatformName", nil)
                .info("LSRequiresIPhoneOS", .boolean(false))
        },
        RuleCase("nested.identifier-duplicate", at: "/Frameworks/Kit.framework/Info.plist") {
            $0.nesting(.framework("Kit")) { $0.identifier = "com.example.app" }
        },
        RuleCase("nested.identifier-duplicate", at: "/Frameworks/Tool.framework/Info.plist") {
            $0.nesting(.framework("Kit")) { $0.identifier = "com.example.tools" }
                .nesting(.framework("Tool")) { $0.identifier = "com.example.tools" }
        },
        RuleCase(
            "nested.identifier-duplicate",
            .warns,
            at: "/PlugIns/Ext.appex/Frameworks/Kit.framework/Info.plist",
        ) {
            $0.nesting(.widget("Ext")) {
                var kit = BundleDraft.framework("Kit")
                kit.identifier = "com.example.app.Ext"
                $0.nested = [kit]
            }
        },
        RuleCase("archive.store-leftovers", .warns, at: "/SC_Info") {
            $0.resource(.text("SC_Info/App.supp", "account"))
        },
        RuleCase("archive.store-leftovers", .warns, at: "/PlugIns/Ext.appex/SC_Info") {
            $0.nesting(.widget("Ext")) {
                $0.resources.append(.text("SC_Info/Ext.sinf", "account"))
            }
        },
        RuleCase("archive.payload-inside", .warns, at: "/Payload") {
            $0.resource(.text("Payload/Old.app/notes.txt", "old"))
        },
    ]

    private static let devices: [RuleCase] = [
        RuleCase("info.families-missing", .notes, at: info) { $0.info("UIDeviceFamily", nil) },
        RuleCase("info.families-missing", .notes, at: info) {
            $0.info("UIDeviceFamily", .array([]))
        },
        RuleCase("info.minimum-os-missing", .notes, at: info) { $0.info("MinimumOSVersion", nil) },
        RuleCase("info.minimum-os-unknown", .notes, at: info) {
            $0.info("MinimumOSVersion", .string("150.0"))
        },
        RuleCase("info.supported-devices-invalid", at: info) {
            $0.info("UISupportedDevices", .array([.string("iPhone15,2"), .integer(1)]))
        },
        RuleCase("info.supported-devices-invalid", at: info) {
            $0.info("UISupportedDevices", .array([]))
        },
        RuleCase("info.supported-devices-invalid", at: info) {
            $0.info("UISupportedDevices", .string("iPhone15,2"))
        },
        RuleCase("info.supported-devices-invalid", at: info) {
            $0.info("UISupportedDevices", .integer(1))
        },
        RuleCase("info.supported-devices-invalid", at: info) {
            $0.info("UISupportedDevices", .dictionary(["iPhone15,2": .boolean(true)]))
        },
        RuleCase("info.capabilities-invalid", at: info) {
            $0.info("UIRequiredDeviceCapabilities", .string("arm64"))
        },
        RuleCase("info.capabilities-invalid", at: info) {
            $0.info("UIRequiredDeviceCapabilities", .integer(1))
        },
        RuleCase("info.capabilities-invalid", at: info) {
            $0.info("UIRequiredDeviceCapabilities", .boolean(true))
        },
        RuleCase("info.thinned", .notes, at: info) {
            $0.info("UISupportedDevices", .array([.string("iPhone15,2")]))
        },
        RuleCase("info.capability-unknown", .warns, at: info) {
            $0.info("UIRequiredDeviceCapabilities", .array([.string("arm65")]))
        },
    ]

    private static func watch(_ name: String = "Watch") -> BundleDraft {
        .watchApplication(
            name,
            identifier: "com.example.app.\(name.lowercased())",
            companion: "com.example.app",
        )
    }

    private static func stub() -> BundleDraft {
        .watchStub("Watch", identifier: "com.example.app.watch", companion: "com.example.app")
    }

    private static let watchParts: [RuleCase] = [
        RuleCase("watch.watch-only", at: watchInfo) {
            $0.nesting(watch()) { $0.info["WKWatchOnly"] = .boolean(true) }
        },
        RuleCase("watch.watch-only", .warns, at: watchInfo) {
            $0.info("ITSWatchOnlyContainer", .boolean(true))
                .info("LSApplicationLaunchProhibited", .boolean(true))
                .nesting(watch()) { $0.info["WKWatchOnly"] = .boolean(true) }
        },
        RuleCase("watch.family-missing", at: watchInfo) {
            $0.nesting(watch()) { $0.families = [1] }
        },
        RuleCase("watch.family-missing", at: watchInfo) {
            $0.nesting(watch()) { $0.info["UIDeviceFamily"] = .some(nil) }
        },
        RuleCase("watch.several-apps", at: "/Watch/Wrist.app/Info.plist") {
            $0.nesting(watch(), watch("Wrist"))
        },
        RuleCase("watch.kind-unknown", .warns, at: watchInfo) {
            $0.nesting(watch()) { $0.info["WKApplication"] = .some(nil) }
        },
        RuleCase("watch.extension-missing", at: watchInfo) {
            $0.nesting(stub()) { $0.nested = [] }
        },
        RuleCase("watch.stub-missing", .warns, at: "/Watch/Watch.app") {
            $0.nesting(stub()) { $0.resources = [] }
        },
        RuleCase("watch.extension-mismatch", at: extensionInfo) {
            $0.nesting(stub()) {
                $0.nested[0].info["NSExtension"] = .dictionary([
                    "NSExtensionPointIdentifier": .string("com.apple.watchkit")
                ])
            }
        },
        RuleCase(
            "watch.several-extensions",
            at: "/Watch/Watch.app/PlugIns/Second.appex/Info.plist",
        ) {
            $0.nesting(stub()) {
                var second = $0.nested[0]
                second.name = "Second"
                second.identifier = "com.example.app.watch.second"
                $0.nested[0].name = "First"
                $0.nested.append(second)
            }
        },
        RuleCase("watch.extension-misplaced", at: "/Watch/Watch.app/PlugIns/Tile.appex") {
            $0.nesting(stub()) {
                $0.minimumOS = "2.2"
                $0.nested.append(.widget("Tile"))
            }
        },
        RuleCase("watch.framework-misplaced", at: "/Watch/Watch.app/Frameworks/Kit.framework") {
            $0.nesting(stub()) {
                $0.minimumOS = "2.2"
                $0.nested.append(.framework("Kit"))
            }
        },
    ]

    private static let extensionInfo = "/Watch/Watch.app/PlugIns/Watch Extension.appex/Info.plist"
}
