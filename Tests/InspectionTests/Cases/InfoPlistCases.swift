import Foundation
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
            $0.forSimulator()
                .info("CFBundleSupportedPlatforms", .array([.string("iPhoneSimulator")]))
        },
        RuleCase("info.simulator-build", at: info) {
            $0.forSimulator().info("DTPlatformName", .string("iphonesimulator"))
        },
        // The executable itself is for devices.
        RuleCase("info.simulator-build", .warns, at: info) {
            $0.info("DTPlatformName", .string("iphonesimulator"))
        },
        RuleCase("info.repeated-key", .warns, at: info) {
            try $0.rewritingInfo {
                $0.replacing("<dict>", with: "<dict><key>Later</key><true/>", maxReplacements: 1)
                    .replacing(
                        "</dict>\n</plist>",
                        with: "<key>Later</key><false/></dict></plist>",
                    )
            }
        },
        RuleCase("info.encoding", .warns, at: info) {
            try $0.rewritingInfo(as: .utf16BigEndian) { $0 }
        },
        RuleCase("info.encoding", .warns, at: info) {
            try $0.rewritingInfo(as: .utf16LittleEndian) {
                $0.replacing("UTF-8", with: "UTF-16")
            }
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
            $0.info("UIDeviceFamily", .string("1"))
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

extension IPABuilder {
    /// Builds the app's executable for the simulator.
    fileprivate func forSimulator() -> IPABuilder {
        editing { $0.app.adjustExecutable = { $0.platform = .iOSSimulator } }
    }

    /// Signs the app with an Info.plist in XML that was edited as text.
    fileprivate func rewritingInfo(
        as encoding: String.Encoding = .utf8,
        _ change: (String) -> String,
    ) throws -> IPABuilder {
        let values = try PropertyList(reading: tree().bytes(of: "Info.plist"))
        let text = change(String(decoding: values.xml(), as: UTF8.self))
        var bytes = Array(text.utf8)
        if encoding != .utf8 {
            let isLittle = encoding == .utf16LittleEndian
            bytes = ([0xFEFF] + Array(text.utf16)).flatMap { unit in
                let pair = [UInt8(unit >> 8), UInt8(unit & 0xff)]
                return isLittle ? pair.reversed() : pair
            }
        }
        return editing { [bytes] in $0.app.infoForm = .verbatim(bytes) }
    }
}
