import Bytes
package import Identifiers
package import PropertyLists

/// An Info.plist, typed; a value of the wrong type reads as absent and is listed.
package struct InfoPlist: Equatable, Sendable {
    /// The whole dictionary as it stands in the file.
    package let values: PropertyList
    /// Keys that come twice in one dictionary of the file, of which the last counts here.
    package let repeatedKeys: [String]
    /// Whether the file is XML in UTF-16.
    package let isUTF16: Bool

    package init(values: PropertyList, repeatedKeys: [String] = [], isUTF16: Bool = false) {
        self.values = values
        self.repeatedKeys = repeatedKeys
        self.isUTF16 = isUTF16
    }

    /// The Info.plist of a bundle that has none.
    package static let absent = InfoPlist(values: .dictionary([:]))

    /// `CFBundleIdentifier` as it stands, valid or not.
    package var identifierText: String? { text("CFBundleIdentifier") }

    package var bundleIdentifier: BundleIdentifier? {
        identifierText.flatMap(BundleIdentifier.init)
    }

    /// What the home screen shows; nil when nothing names the app.
    package var displayName: String? {
        line("CFBundleDisplayName") ?? line("CFBundleName")
    }

    /// `CFBundleShortVersionString` as it stands.
    package var versionText: String? { text("CFBundleShortVersionString") }

    /// `CFBundleVersion` as it stands.
    package var buildText: String? { text("CFBundleVersion") }

    /// `CFBundleShortVersionString` as one line.
    package var version: String? { line("CFBundleShortVersionString") }

    /// `CFBundleVersion` as one line.
    package var build: String? { line("CFBundleVersion") }

    package var executableName: String? { text("CFBundleExecutable") }

    /// `APPL`, `XPC!`, `FMWK`.
    package var packageType: String? { text("CFBundlePackageType") }

    /// `MinimumOSVersion` as it stands.
    package var minimumOSText: String? { text("MinimumOSVersion") }

    package var minimumOS: OSVersion? { minimumOSText.flatMap(OSVersion.init) }

    /// `UIDeviceFamily`, as numbers, digits in strings, or one number alone.
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

    /// `UISupportedDevices`, which Apple writes into variants thinned for some models; nil for any,
    /// and for what is no list of models.
    package var supportedModels: [String]? {
        guard let listed = values["UISupportedDevices"]?.strings, !listed.isEmpty else {
            return nil
        }
        return listed.prefix(512).filter { $0.utf8.count <= 1024 }
    }

    /// `UIRequiredDeviceCapabilities`: true for what a device must have, false for what it must not.
    package var requiredCapabilities: [String: Bool] {
        let value = values["UIRequiredDeviceCapabilities"]
        let names = value?.array ?? []
        var capabilities: [String: Bool] = [:]
        for name in names.prefix(64).compactMap(\.shortString) { capabilities[name] = true }
        for (name, isNeeded) in (value?.dictionary ?? [:]).prefix(64) {
            capabilities[name] = isNeeded.boolean
        }
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

    /// A string that says something, in less than a kilobyte.
    private func text(_ key: String) -> String? {
        guard let text = values[key]?.shortString, !text.isEmpty else { return nil }
        return text
    }

    /// The string as pages, manifests and terminals put it into sentences of their own.
    private func line(_ key: String) -> String? {
        guard let text = text(key) else { return nil }
        let line = PrintableText(line: text).text
        return line.isEmpty ? nil : line
    }
}
