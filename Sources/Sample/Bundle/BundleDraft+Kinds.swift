import PropertyLists

/// The usual nested bundles, with the keys that installation requires of each.
extension BundleDraft {
    /// An extension for an extension point such as `com.apple.share-services`.
    package static func appExtension(
        _ name: String,
        point: String,
        principalClass: String? = nil,
    ) -> BundleDraft {
        var draft = BundleDraft(.appExtension, named: name)
        var keys: [String: PropertyList] = ["NSExtensionPointIdentifier": .string(point)]
        if let principalClass { keys["NSExtensionPrincipalClass"] = .string(principalClass) }
        draft.info["NSExtension"] = .dictionary(keys)
        return draft
    }

    /// Widgets, complications and Live Activities; their extension point needs no class or storyboard.
    package static func widget(_ name: String) -> BundleDraft {
        appExtension(name, point: "com.apple.widgetkit-extension")
    }

    package static func shareExtension(_ name: String) -> BundleDraft {
        var draft = appExtension(
            name,
            point: "com.apple.share-services",
            principalClass: "\(name.filter { $0 != " " }).ShareViewController",
        )
        if case .dictionary(var keys)?? = draft.info["NSExtension"] {
            keys["NSExtensionAttributes"] = .dictionary([
                "NSExtensionActivationRule": .dictionary([
                    "NSExtensionActivationSupportsText": .boolean(true),
                    "NSExtensionActivationSupportsWebURLWithMaxCount": .integer(1),
                ])
            ])
            draft.info["NSExtension"] = .dictionary(keys)
        }
        return draft
    }

    package static func framework(_ name: String) -> BundleDraft {
        BundleDraft(.framework, named: name)
    }

    /// A library without a bundle in `Frameworks`, such as `libswiftCore`.
    package static func dynamicLibrary(_ name: String) -> BundleDraft {
        BundleDraft(.dynamicLibrary, named: name, identifier: name)
    }

    /// A watch app with a single target, as Xcode creates them since version 14.
    package static func watchApplication(
        _ name: String,
        identifier: String,
        companion: String,
    ) -> BundleDraft {
        var draft = BundleDraft(.watchApplication, named: name, identifier: identifier)
        draft.platform = .watchOS
        draft.architectures = [.arm64_32, .arm64]
        draft.minimumOS = "10.0"
        draft.families = [4]
        draft.info["WKApplication"] = .boolean(true)
        draft.info["WKCompanionAppBundleIdentifier"] = .string(companion)
        return draft
    }

    /// A watch app of the older kind: a stub with its code in a WatchKit extension.
    package static func watchStub(
        _ name: String,
        identifier: String,
        companion: String,
    ) -> BundleDraft {
        var draft = watchApplication(name, identifier: identifier, companion: companion)
        draft.info["WKApplication"] = nil
        draft.info["WKWatchKitApp"] = .boolean(true)
        draft.resources.append(
            .file("_WatchKitStub/WK", Noise(seed: "WK").bytes(4096), mode: 0o755)
        )
        var inside = BundleDraft(
            .appExtension,
            named: "\(name) Extension",
            identifier: "\(identifier).watchkitextension",
        )
        inside.info["NSExtension"] = .dictionary([
            "NSExtensionPointIdentifier": .string("com.apple.watchkit"),
            "NSExtensionAttributes": .dictionary(["WKAppBundleIdentifier": .string(identifier)]),
        ])
        inside.info["WKExtensionDelegateClassName"] = .string("ExtensionDelegate")
        draft.nested.append(inside)
        return draft
    }

    package static func appClip(_ name: String, identifier: String) -> BundleDraft {
        var draft = BundleDraft(.appClip, named: name, identifier: identifier)
        draft.info["NSAppClip"] = .dictionary([
            "NSAppClipRequestEphemeralUserNotification": .boolean(false),
            "NSAppClipRequestLocationConfirmation": .boolean(false),
        ])
        draft.entitlements["com.apple.developer.on-demand-install-capable"] = .boolean(true)
        return draft
    }
}
