import Inspection
import PropertyLists
import Sample

extension RuleCase {
    private static let info = "/Info.plist"

    /// The executable, Info.plist and the icon.
    static let infoPlist: [RuleCase] = [
        RuleCase("icon.missing", .notes) {
            $0.editing { $0.app.resources.removeAll { $0.path.hasPrefix("AppIcon") } }
        },
        RuleCase("icon.unreadable", .notes, at: "/AppIcon60x60@3x.png") {
            $0.resource(.file("AppIcon60x60@3x.png", [1, 2, 3]))
        },
        RuleCase("bundle.executable-missing") { $0.editing { $0.app.hasExecutable = false } },
        RuleCase("bundle.executable-missing") { $0.afterSigning { try $0.remove("Example") } },
        RuleCase("bundle.executable-missing") { $0.info("CFBundleExecutable", nil) },
        RuleCase("bundle.executable-missing") { $0.info("CFBundleExecutable", .string("../Run")) },
        RuleCase("bundle.executable-missing") { $0.info("CFBundleExecutable", .integer(4)) },
        RuleCase("bundle.executable-mode", .warns, at: "/Example") {
            $0.afterSigning { try $0.setMode("Example", 0o644) }
        },
        RuleCase("info.identifier-missing", at: info) { $0.info("CFBundleIdentifier", nil) },
        RuleCase("info.identifier-missing", at: info) {
            $0.info("CFBundleIdentifier", .array([]))
        },
        RuleCase("info.identifier-invalid", at: info) {
            $0.info("CFBundleIdentifier", .string("com.example/../app"))
        },
        RuleCase("info.identifier-characters", .warns, at: info) { build in
            build.editing { $0.app.identifier = "com.example.my_app" }
        },
        RuleCase("info.version-missing", .warns, at: info) {
            $0.info("CFBundleShortVersionString", nil)
        },
        RuleCase("info.version-missing", at: info) {
            $0.info("CFBundleShortVersionString", .real(1.2))
        },
        RuleCase("info.version-missing", at: info) {
            $0.info("CFBundleShortVersionString", .string(String(repeating: "1", count: 2000)))
        },
        RuleCase("info.build-missing", at: info) { $0.info("CFBundleVersion", .string("")) },
        RuleCase("info.simulator-build", at: info) {
            $0.info("CFBundleSupportedPlatforms", .array([.string("iPhoneSimulator")]))
        },
        RuleCase("info.simulator-build", at: info) {
            $0.info("DTPlatformName", .string("iphonesimulator"))
        },
        RuleCase("info.wrong-platform", .warns, at: info) {
            $0.info(
                "CFBundleSupportedPlatforms",
                .array([.string("iPhoneOS"), .string("iPhoneSimulator")]),
            )
        },
        RuleCase("info.wrong-platform", .warns, at: info) {
            $0.info("DTPlatformName", .string("appletvos"))
                .info("CFBundleSupportedPlatforms", .array([.string("AppleTVOS")]))
        },
        RuleCase("info.wrong-type", .warns, at: info) {
            $0.info("UIDeviceFamily", .dictionary([:]))
        },
        RuleCase("info.wrong-type", .warns, at: info) {
            $0.info("CFBundleDisplayName", .data([1]))
        },
        RuleCase("info.version-characters", .warns, at: info) {
            $0.info("CFBundleShortVersionString", .string("1.2\u{1B}[31m"))
        },
        RuleCase("info.version-characters", .warns, at: info) {
            $0.info("CFBundleVersion", .string("3\u{202E}4"))
        },
        RuleCase("info.version-form", .notes, at: info) {
            $0.info("CFBundleShortVersionString", .string("../../../etc"))
        },
        RuleCase("info.version-form", .notes, at: info) {
            $0.info("CFBundleVersion", .string("1.2.3.4"))
        },
        RuleCase("info.minimum-os-invalid", .warns, at: info) {
            $0.info("MinimumOSVersion", .string("fifteen"))
        },
        RuleCase("info.package-type", .warns, at: info) {
            $0.info("CFBundlePackageType", .string("BNDL"))
        },
    ]
}
