import Bundles
import Cryptography
import Foundation
import Inspection
import PropertyLists
import Testing

/// Each rule: an otherwise good build has exactly that finding and no other.
@Suite struct RuleTests {
    /// One way to spoil a good build.
    struct Case: Sendable, CustomTestStringConvertible {
        let id: String
        let severity: Severity
        let place: String
        let change: @Sendable (inout TestBundle) throws -> Void

        init(
            _ id: String,
            _ severity: Severity = .blocks,
            at place: String = "",
            _ change: @escaping @Sendable (inout TestBundle) throws -> Void,
        ) {
            self.id = id
            self.severity = severity
            self.place = "Payload/Example.app" + place
            self.change = change
        }

        var testDescription: String { "\(id) at \(place)" }
    }

    @Test func `a good build has nothing but notes of its kind`() throws {
        let report = try TestBuild().report()
        #expect(Set(report.findings.map(\.id)) == TestBuild.usual)
        #expect(report.verdict(at: TestAuthority.now).verdict == .unknown)
    }

    @Test func `a good build with a widget, a watch app and a clip has no complaint`() throws {
        let build = try TestBuild { app in
            try app.nest(.widget())
            try app.nest(.watch()) { watch in
                var inner = try TestBundle.widget("com.example.app.watch.tile")
                inner.path = "PlugIns/Tile.appex"
                try watch.nest(inner)
            }
            var clip = try TestBundle.watch("com.example.app.Clip")
            clip.path = "AppClips/Clip.app"
            try app.nest(clip)
            var framework = TestBundle(path: "Frameworks/Kit.framework", info: [:])
            framework.info = [
                "CFBundleIdentifier": .string("org.elsewhere.kit"),
                "CFBundleExecutable": .string("Run"),
                "CFBundleShortVersionString": .string("9.9"),
            ]
            framework.executableMode = 0o644
            try app.nest(framework)
            app.files["Frameworks/libswiftCore.dylib"] = [1, 2, 3]
        }
        #expect(try build.complaints() == [])
        let kinds = try build.report().nested.map(\.kind)
        #expect(
            kinds == [
                .appClip, .framework, .dynamicLibrary, .appExtension, .watchApplication,
                .appExtension,
            ]
        )
    }

    @Test(arguments: cases + profileCases + nestedCases)
    func `is found alone, where it is, and is registered`(_ spoilt: Case) throws {
        let complaints = try TestBuild(spoilt.change).complaints()
        #expect(complaints.map(\.id) == [spoilt.id])
        let finding = try #require(complaints.first)
        #expect(finding.severity == spoilt.severity)
        #expect(finding.place == spoilt.place)
        #expect(finding.message.hasSuffix("."))
        #expect(!finding.mend.isEmpty)
        let rule = try #require(Rule.named(finding.id))
        #expect(rule.appleCode == finding.appleCode)
    }

    @Test func `every rule has a build that breaks it`() {
        let broken = Set((Self.cases + Self.profileCases + Self.nestedCases).map(\.id))
        // Archives are refused in the tests of their own readers, devices are judged in
        // VerdictTests, signatures in TrustTests.
        let elsewhere = ["zip.", "bundle.", "device.", "profile.unverified"]
        let missing = Rule.all.map(\.id).filter { id in
            !broken.contains(id) && !TestBuild.usual.contains(id)
                && !elsewhere.contains(where: id.hasPrefix)
        }
        #expect(missing == [])
    }

    static let cases: [Case] = [
        Case("icon.unreadable", .notes, at: "/AppIcon60x60@3x.png") {
            $0.files["AppIcon60x60@3x.png"] = [1, 2, 3]
        },
        Case("info.version-missing", at: "/Info.plist") {
            $0.set("CFBundleShortVersionString", .string(String(repeating: "1", count: 2000)))
        },
        Case("bundle.executable-missing") { $0.executableMode = nil },
        Case("bundle.executable-missing") { $0.set("CFBundleExecutable", nil) },
        Case("bundle.executable-missing") { $0.set("CFBundleExecutable", .string("../Run")) },
        Case("bundle.executable-missing") { $0.set("CFBundleExecutable", .integer(4)) },
        Case("bundle.executable-mode", at: "/Run") { $0.executableMode = 0o644 },
        Case("info.identifier-missing", at: "/Info.plist") { $0.set("CFBundleIdentifier", nil) },
        Case("info.identifier-missing", at: "/Info.plist") {
            $0.set("CFBundleIdentifier", .array([]))
        },
        Case("info.identifier-invalid", at: "/Info.plist") {
            $0.set("CFBundleIdentifier", .string("com.example/../app"))
        },
        Case("info.version-missing", at: "/Info.plist") {
            $0.set("CFBundleShortVersionString", nil)
        },
        Case("info.version-missing", at: "/Info.plist") {
            $0.set("CFBundleShortVersionString", .real(1.2))
        },
        Case("info.build-missing", at: "/Info.plist") { $0.set("CFBundleVersion", .string("")) },
        Case("info.simulator-build", at: "/Info.plist") {
            $0.set("CFBundleSupportedPlatforms", .array([.string("iPhoneSimulator")]))
        },
        Case("info.simulator-build", at: "/Info.plist") {
            $0.set("DTPlatformName", .string("iphonesimulator"))
        },
        Case("info.wrong-platform", .warns, at: "/Info.plist") {
            $0.set("DTPlatformName", .string("appletvos"))
            $0.set("CFBundleSupportedPlatforms", .array([.string("AppleTVOS")]))
        },
        Case("info.wrong-type", .warns, at: "/Info.plist") {
            $0.set("UIDeviceFamily", .dictionary([:]))
        },
        Case("info.wrong-type", .warns, at: "/Info.plist") {
            $0.set("CFBundleDisplayName", .data([1]))
        },
        Case("info.version-characters", .warns, at: "/Info.plist") {
            $0.set("CFBundleShortVersionString", .string("1.2\u{1B}[31m"))
        },
        Case("info.version-characters", .warns, at: "/Info.plist") {
            $0.set("CFBundleVersion", .string("3\u{202E}4"))
        },
        Case("info.version-form", .notes, at: "/Info.plist") {
            $0.set("CFBundleShortVersionString", .string("../../../etc"))
        },
        Case("info.version-form", .notes, at: "/Info.plist") {
            $0.set("CFBundleVersion", .string("1.2.3.4"))
        },
        Case("info.minimum-os-invalid", .warns, at: "/Info.plist") {
            $0.set("MinimumOSVersion", .string("fifteen"))
        },
        Case("info.package-type", .warns, at: "/Info.plist") {
            $0.set("CFBundlePackageType", .string("BNDL"))
        },
        Case("icon.missing", .notes) { $0.files = [:] },
    ]

    private static let profilePlace = "/embedded.mobileprovision"

    static let profileCases: [Case] = [
        Case("profile.missing", at: profilePlace) { $0.profile = nil },
        Case("profile.malformed", at: profilePlace) {
            $0.profile = nil
            $0.files["embedded.mobileprovision"] = Array("<plist></plist>".utf8)
        },
        Case("profile.malformed", at: profilePlace) { $0.profile?.content["UUID"] = .integer(1) },
        Case("profile.no-devices", at: profilePlace) {
            $0.profile?.content["ProvisionedDevices"] = .array([])
        },
        Case("profile.devices-unreadable", .notes, at: profilePlace) {
            $0.profile?.content["ProvisionedDevices"] = .array(
                TestProfile.devices.map(PropertyList.string) + [.string("my phone")]
            )
        },
        Case("profile.no-certificates", at: profilePlace) {
            $0.profile?.content["DeveloperCertificates"] = .array([])
        },
        Case("profile.no-certificates", .warns, at: profilePlace) {
            $0.profile?.content["DeveloperCertificates"] = .array([.data([1, 2, 3])])
        },
        Case("profile.app-store", at: profilePlace) {
            $0.profile?.content["ProvisionedDevices"] = nil
        },
        Case("profile.testflight", at: profilePlace) {
            $0.profile?.content["ProvisionedDevices"] = nil
            $0.profile?.entitle("beta-reports-active", .boolean(true))
        },
        Case("profile.enterprise", .notes, at: profilePlace) {
            $0.profile?.content["ProvisionedDevices"] = nil
            $0.profile?.content["ProvisionsAllDevices"] = .boolean(true)
        },
        Case("profile.wrong-platform", at: profilePlace) {
            $0.profile?.content["Platform"] = .array([.string("OSX")])
        },
        Case("profile.identifier-mismatch", at: profilePlace) {
            $0.profile?.entitle("application-identifier", .string("TEAM123456.com.example.other"))
        },
        Case("profile.identifier-mismatch", at: profilePlace) {
            $0.profile?.entitle("application-identifier", .string("TEAM123456.com.example.app.*"))
        },
        Case("profile.identifier-mismatch", at: profilePlace) {
            $0.profile?.entitle("application-identifier", nil)
        },
        Case("profile.prefix-mismatch", .warns, at: profilePlace) {
            $0.profile?.entitle("application-identifier", .string("OTHER12345.com.example.app"))
        },
        Case("profile.team-mismatch", .warns, at: profilePlace) {
            $0.profile?.entitle("com.apple.developer.team-identifier", .string("OTHER12345"))
        },
        Case("profile.expired", at: profilePlace) {
            $0.profile?.content["ExpirationDate"] = .date(TestAuthority.now)
        },
        Case("profile.expires-soon", .warns, at: profilePlace) {
            $0.profile?.content["ExpirationDate"] = .date(
                TestAuthority.now.addingTimeInterval(.days(30))
            )
        },
        Case("profile.not-yet-valid", .warns, at: profilePlace) {
            $0.profile?.content["CreationDate"] = .date(
                TestAuthority.now.addingTimeInterval(.days(1))
            )
        },
        Case("certificate.expired", at: profilePlace) {
            let expired = try TestProfile.certificate(
                until: TestAuthority.now.addingTimeInterval(-60)
            )
            $0.profile?.content["DeveloperCertificates"] = .array([.data(expired.der)])
        },
        Case("certificate.expired", .notes, at: profilePlace) {
            let dates = [-60, .days(200)].map(TestAuthority.now.addingTimeInterval)
            $0.profile?.content["DeveloperCertificates"] = .array(
                try dates.map { .data(try TestProfile.certificate(until: $0).der) }
            )
        },
        Case("certificate.expires-soon", .warns, at: profilePlace) {
            let soon = try TestProfile.certificate(
                until: TestAuthority.now.addingTimeInterval(.days(3))
            )
            $0.profile?.content["DeveloperCertificates"] = .array([.data(soon.der)])
        },
    ]

    private static let widgetInfo = "/PlugIns/Widget.appex/Info.plist"
    private static let widgetProfile = "/PlugIns/Widget.appex/embedded.mobileprovision"
    private static let watchInfo = "/Watch/Watch.app/Info.plist"

    static let nestedCases: [Case] = [
        Case("nested.identifier-not-prefixed", at: widgetInfo) {
            try $0.nest(.widget("com.other.widget"))
        },
        Case("nested.identifier-too-deep", at: widgetInfo) {
            try $0.nest(.widget("com.example.app.my.widget"))
        },
        Case("nested.identifier-duplicate", at: "/PlugIns/Second.appex/Info.plist") {
            var second = try TestBundle.widget()
            second.path = "PlugIns/Second.appex"
            var first = try TestBundle.widget()
            first.path = "PlugIns/First.appex"
            try $0.nest(first)
            try $0.nest(second)
        },
        Case("nested.package-type", at: widgetInfo) {
            try $0.nest(.widget()) { $0.set("CFBundlePackageType", .string("APPL")) }
        },
        Case("nested.version-differs", .warns, at: widgetInfo) {
            try $0.nest(.widget()) {
                $0.set("CFBundleVersion", .string("33"))
                $0.set("CFBundleShortVersionString", .string("1.1"))
            }
        },
        Case("nested.team-differs", at: widgetProfile) {
            try $0.nest(.widget()) {
                $0.profile?.content["TeamIdentifier"] = .array([.string("OTHER12345")])
                $0.profile?.entitle(
                    "com.apple.developer.team-identifier",
                    .string("OTHER12345"),
                )
            }
        },
        Case("profile.missing", at: widgetProfile) { try $0.nest(.widget()) { $0.profile = nil } },
        Case("profile.expired", at: widgetProfile) {
            try $0.nest(.widget()) {
                $0.profile?.content["ExpirationDate"] = .date(
                    TestAuthority.now.addingTimeInterval(-60)
                )
            }
        },
        Case("profile.app-store", at: widgetProfile) {
            try $0.nest(.widget()) { $0.profile?.content["ProvisionedDevices"] = nil }
        },
        Case("device.not-in-nested-profile", at: widgetProfile) {
            try $0.nest(.widget()) {
                $0.profile?.content["ProvisionedDevices"] = .array([
                    .string(TestProfile.devices[0])
                ])
            }
        },
        Case("bundle.executable-missing", at: "/PlugIns/Widget.appex") {
            try $0.nest(.widget()) { $0.executableMode = nil }
        },
        Case("bundle.info-missing", at: widgetInfo) { try $0.nest(.widget()) { $0.info = nil } },
        Case("bundle.info-malformed", at: widgetInfo) {
            try $0.nest(.widget()) {
                $0.info = nil
                $0.files["Info.plist"] = Array("nonsense".utf8)
            }
        },
        Case("info.build-missing", at: widgetInfo) {
            try $0.nest(.widget()) { $0.set("CFBundleVersion", nil) }
        },
        Case("watch.identifier-not-prefixed", at: watchInfo) {
            try $0.nest(.watch("com.other.watch"))
        },
        Case("watch.companion-mismatch", at: watchInfo) {
            try $0.nest(.watch()) {
                $0.set("WKCompanionAppBundleIdentifier", .string("com.other.app"))
            }
        },
        Case("watch.companion-mismatch", .warns, at: watchInfo) {
            try $0.nest(.watch()) { $0.set("WKCompanionAppBundleIdentifier", nil) }
        },
        Case("watch.extension-mismatch", at: "/Watch/Watch.app/PlugIns/Tile.appex/Info.plist") {
            try $0.nest(.watch()) { watch in
                var tile = try TestBundle.widget("com.example.app.watch.tile")
                tile.path = "PlugIns/Tile.appex"
                tile.set(
                    "NSExtension",
                    .dictionary([
                        "NSExtensionAttributes": .dictionary([
                            "WKAppBundleIdentifier": .string("com.other.watch")
                        ])
                    ]),
                )
                try watch.nest(tile)
            }
        },
    ]
}
