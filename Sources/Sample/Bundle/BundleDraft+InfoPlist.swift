import PropertyLists

/// Builds Info.plist with the keys that Xcode 26 writes, for a resolved draft.
extension BundleDraft {
    /// The bytes of Info.plist; nil for a bundle without one.
    func infoFile() -> [UInt8]? {
        switch infoForm {
        case .binary: infoPlist().binary()
        case .xml: infoPlist().xml()
        case .verbatim(let bytes): bytes
        }
    }

    func infoPlist() -> PropertyList {
        var entries: [String: PropertyList] = [
            "BuildMachineOSBuild": .string("24G231"),
            "CFBundleDevelopmentRegion": .string("en"),
            "CFBundleExecutable": .string(name),
            "CFBundleIdentifier": .string(identifier ?? ""),
            "CFBundleInfoDictionaryVersion": .string("6.0"),
            "CFBundleName": .string(name),
            "CFBundlePackageType": .string(kind.packageType),
            "CFBundleShortVersionString": .string(version ?? ""),
            "CFBundleSupportedPlatforms": .array([.string(platform.bundleName)]),
            "CFBundleVersion": .string(build ?? ""),
            "DTCompiler": .string("com.apple.compilers.llvm.clang.1_0"),
            "DTPlatformBuild": .string("23C53"),
            "DTPlatformName": .string(platform.toolName),
            "DTPlatformVersion": .string("26.2"),
            "DTSDKBuild": .string("23C53"),
            "DTSDKName": .string("\(platform.toolName)26.2"),
            "DTXcode": .string("2620"),
            "DTXcodeBuild": .string("17C52"),
            "MinimumOSVersion": .string(minimumOS ?? ""),
            "UIDeviceFamily": .array((families ?? []).map { .integer(Int64($0)) }),
        ]
        if let displayName { entries["CFBundleDisplayName"] = .string(displayName) }
        if platform == .iOS {
            entries["UIRequiredDeviceCapabilities"] = .array([.string("arm64")])
        }
        if kind == .application || kind == .appClip {
            for (key, value) in applicationKeys { entries[key] = value }
        }
        for (key, value) in info { entries[key] = value }
        return .dictionary(entries)
    }

    private var applicationKeys: [String: PropertyList] {
        var keys: [String: PropertyList] = [
            "LSRequiresIPhoneOS": .boolean(true),
            "UIApplicationSceneManifest": .dictionary([
                "UIApplicationSupportsMultipleScenes": .boolean(false),
                "UISceneConfigurations": .dictionary([:]),
            ]),
            "UIApplicationSupportsIndirectInputEvents": .boolean(true),
            "UILaunchScreen": .dictionary(["UILaunchScreen": .dictionary([:])]),
            "UISupportedInterfaceOrientations~iphone": Self.orientations(
                "Portrait",
                "LandscapeLeft",
                "LandscapeRight",
            ),
        ]
        if families?.contains(2) == true {
            keys["UISupportedInterfaceOrientations~ipad"] = Self.orientations(
                "Portrait",
                "PortraitUpsideDown",
                "LandscapeLeft",
                "LandscapeRight",
            )
        }
        guard hasIcon else { return keys }
        keys["CFBundleIcons"] = Self.icons(["AppIcon60x60"])
        if families?.contains(2) == true {
            keys["CFBundleIcons~ipad"] = Self.icons(["AppIcon60x60", "AppIcon76x76"])
        }
        return keys
    }

    private static func orientations(_ names: String...) -> PropertyList {
        .array(names.map { .string("UIInterfaceOrientation\($0)") })
    }

    private static func icons(_ files: [String]) -> PropertyList {
        .dictionary([
            "CFBundlePrimaryIcon": .dictionary([
                "CFBundleIconFiles": .array(files.map { .string($0) }),
                "CFBundleIconName": .string("AppIcon"),
            ])
        ])
    }
}

extension MachOPlatform {
    /// The name in `CFBundleSupportedPlatforms`.
    var bundleName: String {
        switch self {
        case .macOS, .macCatalyst: "MacOSX"
        case .iOS: "iPhoneOS"
        case .tvOS: "AppleTVOS"
        case .watchOS: "WatchOS"
        case .iOSSimulator: "iPhoneSimulator"
        case .visionOS: "XROS"
        }
    }

    /// The name in Xcode's platforms and SDKs.
    var toolName: String {
        self == .macCatalyst ? "macosx" : bundleName.lowercased()
    }
}
