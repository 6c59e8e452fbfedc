import Bytes
package import Identifiers
package import PropertyLists

/// A parsed Info.plist; a value of the wrong type reads as absent and is in ``wrongTypes``.
package struct InfoPlist: Equatable, Sendable {
    /// The whole dictionary, unchanged.
    package let values: PropertyList
    /// Keys that occur twice in a dictionary of the file; the last value is used.
    package let repeatedKeys: [String]
    /// Whether the file is XML in UTF-16.
    package let isUTF16: Bool

    package init(values: PropertyList, repeatedKeys: [String] = [], isUTF16: Bool = false) {
        self.values = values
        self.repeatedKeys = repeatedKeys
        self.isUTF16 = isUTF16
    }

    /// The Info.plist for a bundle without one.
    package static let absent = InfoPlist(values: .dictionary([:]))

    /// `CFBundleIdentifier` unchanged, valid or not.
    package var identifierText: String? { text("CFBundleIdentifier") }

    package var bundleIdentifier: BundleIdentifier? {
        identifierText.flatMap(BundleIdentifier.init)
    }

    /// The name on the Home Screen; nil when Info.plist has none.
    package var displayName: String? {
        line("CFBundleDisplayName") ?? line("CFBundleName")
    }

    /// `CFBundleShortVersionString`, unchanged.
    package var versionText: String? { text("CFBundleShortVersionString") }

    /// `CFBundleVersion`, unchanged.
    package var buildText: String? { text("CFBundleVersion") }

    /// `CFBundleShortVersionString` as one line.
    package var version: String? { line("CFBundleShortVersionString") }

    /// `CFBundleVersion` as one line.
    package var build: String? { line("CFBundleVersion") }

    package var executableName: String? { text("CFBundleExecutable") }

    /// `APPL`, `XPC!`, `FMWK`.
    package var packageType: String? { text("CFBundlePackageType") }

    /// `MinimumOSVersion`, unchanged.
    package var minimumOSText: String? { text("MinimumOSVersion") }

    package var minimumOS: OSVersion? { minimumOSText.flatMap(OSVersion.init) }

    /// `UIDeviceFamily`, from numbers, digits in strings, or a single number.
    package var families: [DeviceFamily] {
        guard let value = values["UIDeviceFamily"] else { return [] }
        var numbers: [Int] = []
        for element in (value.array ?? [value]).prefix(32) {
            guard let number = element.integer ?? element.string.flatMap({ Int($0) }),
                !numbers.contains(number)
            else { continue }
            numbers.append(number)
        }
        return numbers.map(DeviceFamily.init(number:))
    }

    /// `UISupportedDevices`, which Apple writes to variants thinned for some models; nil when it is
    /// absent, empty or not a list of strings, so that any model is supported.
    package var supportedModels: [String]? {
        guard let listed = values["UISupportedDevices"]?.strings, !listed.isEmpty else {
            return nil
        }
        return listed.prefix(512).filter { $0.utf8.count <= 1024 }
    }

    /// `UIRequiredDeviceCapabilities`: true for capabilities that a device must have, false for those
    /// that it must not have.
    package var requiredCapabilities: [String: Bool] {
        let value = values["UIRequiredDeviceCapabilities"]
        let names = value?.array ?? []
        var capabilities: [String: Bool] = [:]
        for name in names.prefix(64).compactMap(\.shortString) { capabilities[name] = true }
        let dictionary = (value?.dictionary ?? [:]).sorted { $0.key < $1.key }
        for (name, isNeeded) in dictionary.prefix(64) { capabilities[name] = isNeeded.boolean }
        return capabilities
    }

    /// `CFBundleSupportedPlatforms`, such as `iPhoneOS`.
    package var supportedPlatforms: [String] {
        (values["CFBundleSupportedPlatforms"]?.array ?? []).prefix(32).compactMap(\.shortString)
    }

    /// `DTPlatformName`, such as `iphoneos`.
    package var platformName: String? { text("DTPlatformName") }

    /// `NSExtensionPointIdentifier`, or ExtensionKit's `EXExtensionPointIdentifier`.
    package var extensionPoint: String? {
        values["NSExtension"]?["NSExtensionPointIdentifier"]?.shortString
            ?? values["EXAppExtensionAttributes"]?["EXExtensionPointIdentifier"]?.shortString
    }

    /// `WKCompanionAppBundleIdentifier` of a watch app.
    package var companionIdentifier: String? { text("WKCompanionAppBundleIdentifier") }

    /// `WKAppBundleIdentifier` of a watch app's extension.
    package var watchAppIdentifier: String? {
        values["NSExtension"]?["NSExtensionAttributes"]?["WKAppBundleIdentifier"]?.shortString
    }

    /// A non-empty string of at most 1 KiB.
    private func text(_ key: String) -> String? {
        guard let text = values[key]?.shortString, !text.isEmpty else { return nil }
        return text
    }

    /// The string as one line for messages, pages and manifests.
    private func line(_ key: String) -> String? {
        guard let text = text(key) else { return nil }
        let line = PrintableText(line: text).text
        return line.isEmpty ? nil : line
    }
}
