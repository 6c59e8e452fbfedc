extension Rule {
    static let plugin =
        [
            pluginDeclarationMissing, pluginAttributesMalformed, pluginNameMissing,
            pluginPointMissing,
            pluginPointInvalid,
            pluginPointUnknown, pluginPointOfMac, pluginPointNewer, pluginEntryMissing,
            pluginEntryProhibited,
            severalFileProviders,
            severalMessageExtensions, messageAppEmpty, messageAppForeign, intentsMissing,
            restrictedMalformed, restrictedForeign, intentsShared, watchIntentsForeign,
            pluginNewerThanApp,
        ] + browserEngine

    static let pluginDeclarationMissing = Rule(
        "plugin.declaration-missing",
        .blocks,
        "An extension does not say what it extends",
        fix: "Add NSExtension (in Extensions, EXAppExtensionAttributes) to the extension's "
            + "Info.plist as Xcode's template has it.",
        appleCode: "0xe80000a0",
        causes: [.extensionDictionaryMissing],
    )
    static let pluginAttributesMalformed = Rule(
        "plugin.attributes-malformed",
        .blocks,
        "An extension's attributes are not a dictionary",
        fix: "Make NSExtensionAttributes in the extension's Info.plist a dictionary.",
        appleCode: "0xe80000a8",
        causes: [.extensionDictionaryMissing],
    )
    static let pluginNameMissing = Rule(
        "plugin.name-missing",
        .blocks,
        "An extension has no name",
        fix: "Set CFBundleName in the extension's Info.plist to $(PRODUCT_NAME).",
        appleCode: "0xe80000ab",
    )
    static let pluginPointMissing = Rule(
        "plugin.point-missing",
        .blocks,
        "An extension does not name its extension point",
        fix: "Set the extension point in the extension's Info.plist, such as "
            + "com.apple.share-services.",
        appleCode: "0xe80000a6",
        causes: [.extensionPointUnsupported],
    )
    static let pluginPointInvalid = Rule(
        "plugin.point-invalid",
        .blocks,
        "An extension point is not a reverse domain name",
        fix: "Set the extension point in the extension's Info.plist, such as "
            + "com.apple.share-services.",
        appleCode: "0xe80000a7",
        causes: [.extensionPointUnsupported],
    )
    static let pluginPointUnknown = Rule(
        "plugin.point-unknown",
        .notes,
        "An extension uses an unknown extension point",
        fix: "Compare the extension point with Apple's documents; a device that does not know it "
            + "refuses the app.",
        appleCode: "0xe80000b1",
        causes: [.extensionPointUnsupported],
    )
    static let pluginPointOfMac = Rule(
        "plugin.point-of-mac",
        .blocks,
        "An extension uses an extension point that only macOS has",
        fix:
            "Leave the extension out of the app for iOS: set SUPPORTED_PLATFORMS of its target, or "
            + "a platform filter where it is embedded.",
        appleCode: "0xe80000b1",
        causes: [.extensionPointUnsupported],
    )
    static let pluginPointNewer = Rule(
        "plugin.point-newer",
        .warns,
        "An extension supports iOS versions without its extension point",
        fix: "Set the extension's IPHONEOS_DEPLOYMENT_TARGET to the version that introduced its "
            + "extension point and build again.",
        appleCode: "0xe80000b1",
        causes: [.extensionPointUnsupported],
    )
    static let pluginEntryMissing = Rule(
        "plugin.entry-missing",
        .blocks,
        "An extension names neither a class nor a storyboard",
        fix: "Set NSExtensionPrincipalClass or NSExtensionMainStoryboard in the extension's "
            + "Info.plist.",
        appleCode: "0xe80000a2",
        causes: [.extensionEntryMissing],
    )
    static let pluginEntryProhibited = Rule(
        "plugin.entry-prohibited",
        .blocks,
        "An extension names a class or a storyboard where none is allowed",
        fix: "Remove NSExtensionPrincipalClass and NSExtensionMainStoryboard from the extension's "
            + "Info.plist; its code begins at @main.",
        phone: .notNow,
        causes: [.extensionEntryMissing],
    )
    static let severalFileProviders = Rule(
        "plugin.several-file-providers",
        .blocks,
        "The app has several file providers",
        fix: "Keep only one file provider extension in the app.",
        appleCode: "0xe80000b2",
        causes: [.extensionKindRepeated],
    )
    static let severalMessageExtensions = Rule(
        "plugin.several-message-extensions",
        .blocks,
        "The app has several iMessage extensions",
        fix: "Keep only one iMessage extension in the app.",
        appleCode: "0xe80000e4",
        causes: [.extensionKindRepeated],
    )
    static let messageAppEmpty = Rule(
        "plugin.message-app-empty",
        .blocks,
        "An iMessage app has no iMessage extension",
        fix: "Embed the iMessage extension, or remove LSApplicationLaunchProhibited.",
        appleCode: "0xe80000e5",
        causes: [.extensionKindRepeated],
    )
    static let messageAppForeign = Rule(
        "plugin.message-app-foreign",
        .blocks,
        "An iMessage app has another extension",
        fix: "Keep only the iMessage extension in the app, or remove "
            + "LSApplicationLaunchProhibited.",
        appleCode: "0xe80000e6",
        causes: [.extensionKindRepeated],
    )
    static let intentsMissing = Rule(
        "plugin.intents-missing",
        .blocks,
        "A Siri extension does not say which intents it handles",
        fix: "List the intents in IntentsSupported in the extension's NSExtensionAttributes.",
        appleCode: "0xe80000dc",
        causes: [.siriKeysContradict],
    )
    static let restrictedMalformed = Rule(
        "plugin.intents-restricted-malformed",
        .blocks,
        "A Siri extension's restricted intents are not an array of strings",
        fix: "Make IntentsRestrictedWhileLocked an array of the names of intents.",
        appleCode: "0xe80000dd",
        causes: [.siriKeysContradict],
    )
    static let restrictedForeign = Rule(
        "plugin.intents-restricted-foreign",
        .blocks,
        "A Siri extension restricts intents that it does not handle",
        fix: "Add the intents to IntentsSupported, or remove them from "
            + "IntentsRestrictedWhileLocked.",
        appleCode: "0xe80000de",
        causes: [.siriKeysContradict],
    )
    static let intentsShared = Rule(
        "plugin.intents-shared",
        .blocks,
        "Two Siri extensions handle the same intent",
        fix: "List each intent in IntentsSupported of only one extension.",
        appleCode: "0xe80000df",
        causes: [.siriKeysContradict],
    )
    static let watchIntentsForeign = Rule(
        "plugin.watch-intents-foreign",
        .blocks,
        "The watch app handles intents that the iPhone app does not",
        fix: "Add the intents to IntentsSupported of the app's own Siri extension.",
        appleCode: "0xe80000e7",
        causes: [.siriKeysContradict],
    )
    static let pluginNewerThanApp = Rule(
        "plugin.newer-than-app",
        .notes,
        "An extension needs a newer iOS than the app",
        fix: "Set the extension's IPHONEOS_DEPLOYMENT_TARGET to the app's if it should be there "
            + "on every device.",
        causes: [.extensionNeedsNewerOS],
    )
}
