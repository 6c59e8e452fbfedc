import Bundles
import Identifiers
import PropertyLists
import TestSupport
import Testing

@Suite struct InfoPlistTests {
    private func info(_ values: [String: PropertyList]) -> InfoPlist {
        InfoPlist(values: .dictionary(values))
    }

    @Test func `an ordinary Info.plist is typed`() {
        let info = info([
            "CFBundleIdentifier": .string("com.example.app"), "CFBundleName": .string("Short"),
            "CFBundleDisplayName": .string("Long"), "CFBundleVersion": .string("7"),
            "CFBundleShortVersionString": .string("1.2.3"), "MinimumOSVersion": .string("15.6"),
            "UIDeviceFamily": .array([.integer(1), .string("2"), .integer(1), .integer(9)]),
            "CFBundleSupportedPlatforms": .array([.string("iPhoneOS")]),
            "EXAppExtensionAttributes": .dictionary([
                "EXExtensionPointIdentifier": .string("com.apple.x")
            ]),
        ])
        #expect(info.bundleIdentifier?.rawValue == "com.example.app")
        #expect(info.displayName == "Long")
        #expect(info.version == "1.2.3")
        #expect(info.build == "7")
        #expect(info.minimumOS == OSVersion(major: 15, minor: 6))
        #expect(info.families == [.phone, .pad, .unknown(9)])
        #expect(info.supportedPlatforms == ["iPhoneOS"])
        #expect(info.extensionPoint == "com.apple.x")
        #expect(info.wrongTypes.isEmpty)
    }

    @Test func `a name and a version are one line each`() {
        let info = info([
            "CFBundleDisplayName": .string("\n"), "CFBundleName": .string("Sho\u{202E}rt\n"),
            "CFBundleShortVersionString": .string("1.2\u{1B}[31m"),
            "CFBundleVersion": .string("\t"),
        ])
        #expect(info.displayName == "Short")
        #expect(info.version == "1.2 [31m")
        #expect(info.build == nil)
    }

    @Test(
        arguments: [
            .integer(.max), .unsigned(.max), .real(.nan), .boolean(true), .data([1]), .uid(1),
            .array([.integer(.min), .dictionary([:])]), .dictionary(["a": .string("b")]),
        ] as [PropertyList]
    )
    func `a value of the wrong type reads as absent and is listed`(value: PropertyList) {
        let keys = [
            "CFBundleIdentifier", "CFBundleName", "CFBundleVersion", "MinimumOSVersion",
            "CFBundleExecutable", "UIDeviceFamily", "CFBundleSupportedPlatforms", "CFBundleIcons",
            "NSExtension",
        ]
        let info = info(Dictionary(uniqueKeysWithValues: keys.map { ($0, value) }))
        #expect(info.bundleIdentifier == nil)
        #expect(info.displayName == nil)
        #expect(info.build == nil)
        #expect(info.minimumOS == nil)
        #expect(info.executableName == nil)
        #expect(info.supportedPlatforms.isEmpty)
        #expect(info.extensionPoint == nil)
        #expect(info.wrongTypes.contains { $0.key == "CFBundleIdentifier" })
        #expect(info.wrongTypes.contains { $0.expected == "an array of strings" })
        _ = info.families
    }

    @Test(
        .enabled(if: Fixtures.arePresent, "the real fixtures are not on this machine"),
        arguments: Fixtures.items(ofKind: "infoplist"),
    )
    func `a real Info.plist reads`(_ item: Fixtures.Item) throws {
        let info = InfoPlist(values: try PropertyList(reading: item.bytes(), limits: .infoPlist))
        #expect(info.values.dictionary != nil)
    }
}
