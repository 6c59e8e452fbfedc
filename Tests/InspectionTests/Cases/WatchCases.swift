import Inspection
import PropertyLists
import Sample

extension RuleCase {
    private static let info = "/Watch/Watch.app/Info.plist"

    private static func watch(
        _ identifier: String = "com.example.app.watch",
        companion: String = "com.example.app",
    ) -> BundleDraft {
        .watchApplication("Watch", identifier: identifier, companion: companion)
    }

    /// A watch app compared with its companion.
    static let watch: [RuleCase] = [
        RuleCase("watch.identifier-not-prefixed", at: info) {
            $0.nesting(watch("com.other.watch"))
        },
        RuleCase("watch.companion-mismatch", at: info) {
            $0.nesting(watch(companion: "com.other.app"))
        },
        RuleCase("watch.companion-mismatch", at: info) {
            $0.nesting(watch()) { $0.info["WKCompanionAppBundleIdentifier"] = .some(nil) }
        },
        RuleCase(
            "watch.extension-mismatch",
            .warns,
            at: "/Watch/Watch.app/PlugIns/Tile.appex/Info.plist",
        ) {
            $0.nesting(watch()) { watch in
                var tile = BundleDraft.widget("Tile")
                tile.info["NSExtension"] = .dictionary([
                    "NSExtensionPointIdentifier": .string("com.apple.widgetkit-extension"),
                    "NSExtensionAttributes": .dictionary([
                        "WKAppBundleIdentifier": .string("com.other.watch")
                    ]),
                ])
                watch.nested.append(tile)
            }
        },
    ]
}
