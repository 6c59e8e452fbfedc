extension Rule {
    static let watch = [
        watchNotPrefixed, wrongCompanion, watchOnly, wrongWatchApp, watchFamily, severalWatchApps,
        severalWatchExtensions, watchExtensionMissing, watchKindUnknown, watchExtensionMisplaced,
        watchFrameworkMisplaced, watchStubMissing,
    ]

    static let watchNotPrefixed = Rule(
        "watch.identifier-not-prefixed",
        .blocks,
        "The watch app's identifier does not begin with its companion's",
        fix: "Set the watch app's PRODUCT_BUNDLE_IDENTIFIER to the app's identifier, followed by a "
            + "dot and a word.",
        appleCode: "0xe80000d9",
        causes: [.watchIdentifierNotPrefixed],
    )
    static let wrongCompanion = Rule(
        "watch.companion-mismatch",
        .blocks,
        "The watch app names another companion or none",
        fix: "Set WKCompanionAppBundleIdentifier in the watch app's Info.plist to the app's "
            + "bundle identifier.",
        appleCode: "0xe80000d5",
        causes: [.watchCompanionDiffers],
    )
    static let watchOnly = Rule(
        "watch.watch-only",
        .blocks,
        "A watch app without a companion is inside an app",
        fix: "Remove WKWatchOnly from the watch app's Info.plist, or distribute it alone.",
        phone: .notNow,
        causes: [.watchCompanionDiffers],
    )
    static let wrongWatchApp = Rule(
        "watch.extension-mismatch",
        .blocks,
        "The watch extension names another watch app or none",
        fix: "Set WKAppBundleIdentifier in the extension's Info.plist to the watch app's bundle "
            + "identifier.",
        appleCode: "0xe80000c1",
        causes: [.watchExtensionOfOtherApp],
    )
    static let watchFamily = Rule(
        "watch.family-missing",
        .blocks,
        "The watch app is not for Apple Watch",
        fix: "Set TARGETED_DEVICE_FAMILY of the watch app to 4 and build again.",
        appleCode: "0xe80000da",
        causes: [.watchAppForOtherDevice],
    )
    static let severalWatchApps = Rule(
        "watch.several-apps",
        .blocks,
        "The app contains several watch apps",
        fix: "Embed only one watch app.",
        appleCode: "0xe80000ce",
        causes: [.watchPartsMisplaced],
    )
    /// Applies to the extensions of one bundle.
    static let severalWatchExtensions = Rule(
        "watch.several-extensions",
        .blocks,
        "A watch app has several WatchKit extensions",
        fix: "Leave one WatchKit extension in the watch app.",
        appleCode: "0xe80000c6",
        causes: [.watchPartsMisplaced],
    )
    static let watchExtensionMissing = Rule(
        "watch.extension-missing",
        .blocks,
        "A watch app with the older structure has no WatchKit extension",
        fix: "Embed the WatchKit extension, or set WKApplication instead of WKWatchKitApp for a "
            + "watch app of one target.",
        appleCode: "0xe80000d4",
        causes: [.watchPartsMisplaced],
    )
    static let watchKindUnknown = Rule(
        "watch.kind-unknown",
        .warns,
        "A watch app is not declared as one",
        fix: "Set WKApplication to true in the watch app's Info.plist.",
        appleCode: "0xe80000c7",
        causes: [.watchPartsMisplaced],
    )
    static let watchStubMissing = Rule(
        "watch.stub-missing",
        .warns,
        "A watch app with the older structure lacks Apple's stub",
        fix:
            "Export from the archive with Xcode, which adds _WatchKitStub, or move the watch app to "
            + "one target (WKApplication).",
        appleCode: "0xe80000cf",
        causes: [.watchPartsMisplaced],
    )
    static let watchExtensionMisplaced = Rule(
        "watch.extension-misplaced",
        .blocks,
        "A watch app for watchOS 2 has an extension in the wrong place",
        fix: "Set WATCHOS_DEPLOYMENT_TARGET of the watch app to 3.0 or later and build again.",
        appleCode: "0xe80000e0",
        causes: [.watchPartsMisplaced],
    )
    static let watchFrameworkMisplaced = Rule(
        "watch.framework-misplaced",
        .blocks,
        "A watch app for watchOS 2 has a framework in the wrong place",
        fix: "Set WATCHOS_DEPLOYMENT_TARGET of the watch app to 3.0 or later and build again.",
        appleCode: "0xe80000e1",
        causes: [.watchPartsMisplaced],
    )
}
