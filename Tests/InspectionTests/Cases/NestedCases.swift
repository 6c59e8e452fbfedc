import Cryptography
import Foundation
import Inspection
import PropertyLists
import Sample

extension RuleCase {
    private static let folder = "/PlugIns/Widget.appex"
    private static let info = folder + "/Info.plist"
    private static let kitInfo = "/Frameworks/Kit.framework/Info.plist"
    private static let place = folder + "/embedded.mobileprovision"

    /// An extension compared with its app, and the app's own rules inside an extension.
    static let nested: [RuleCase] = [
        RuleCase("nested.identifier-not-prefixed", at: info) {
            $0.nesting(.widget("Widget")) { $0.identifier = "com.other.widget" }
        },
        // Only the duplicate is reported, not that the identifier lacks the app's prefix.
        RuleCase("nested.identifier-duplicate", at: info) {
            $0.nesting(.widget("Widget")) { $0.identifier = "com.example.app" }
        },
        RuleCase("nested.identifier-too-deep", at: info) {
            $0.nesting(.widget("Widget")) { $0.identifier = "com.example.app.my.widget" }
        },
        RuleCase("nested.identifier-duplicate", at: "/PlugIns/Second.appex/Info.plist") {
            $0.nesting(.widget("First")) { $0.identifier = "com.example.app.widget" }
                .nesting(.widget("Second")) { $0.identifier = "com.example.app.widget" }
        },
        RuleCase("nested.package-type", at: info) {
            $0.nesting(.widget("Widget")) { $0.info["CFBundlePackageType"] = .string("APPL") }
        },
        RuleCase("nested.version-differs", .warns, at: info) {
            $0.nesting(.widget("Widget")) {
                $0.build = "33"
                $0.version = "1.1"
            }
        },
        RuleCase("nested.team-differs", at: place) { build in
            try build.nesting(.widget("Widget")) {
                let other = try build.authority.otherTeam(at: GoodBuild.signing)
                $0.profile = GoodBuild.profile()
                $0.profile?.team = .other
                $0.profile?.certificates = [other.certificate]
                $0.signing.identity = other
            }
        },
        RuleCase("profile.missing", at: place) {
            $0.nesting(.widget("Widget")) { $0.hasProfile = false }
        },
        RuleCase("profile.missing", .warns, at: place) {
            $0.editingProfile { $0.pattern = "com.example.*" }
                .nesting(.widget("Widget")) { $0.hasProfile = false }
        },
        RuleCase("profile.missing", .warns, at: place) {
            $0.nesting(.widget("Widget")) {
                $0.hasProfile = false
                $0.entitlements["application-identifier"] = .string("OTASAMPLE1.com.example.app")
            }
        },
        RuleCase("profile.missing", at: place) { build in
            try build.editingProfile { $0.pattern = "com.example.*" }
                .nesting(.widget("Widget")) {
                    $0.hasProfile = false
                    $0.signing.identity = try build.authority.otherTeam(at: GoodBuild.signing)
                }
        },
        RuleCase("profile.expired", at: place) {
            $0.nesting(.widget("Widget")) {
                $0.profile = GoodBuild.profile()
                $0.profile?.expires = GoodBuild.now.addingTimeInterval(-60)
            }
        },
        RuleCase("profile.app-store", at: place) {
            $0.nesting(.widget("Widget")) {
                $0.profile = GoodBuild.profile()
                $0.profile?.kind = .appStore
            }
        },
        RuleCase("certificate.expired", at: folder + "/Widget") {
            try $0.nesting(.widget("Widget")) {
                try $0.sign(until: GoodBuild.now.addingTimeInterval(-60))
            }
        },
        RuleCase("device.not-in-nested-profile", at: place) {
            $0.nesting(.widget("Widget")) {
                $0.profile = GoodBuild.profile()
                $0.profile?.devices = [GoodBuild.devices[0]]
            }
        },
        RuleCase("bundle.executable-missing", at: folder) {
            $0.nesting(.widget("Widget")) { $0.hasExecutable = false }
        },
        RuleCase("bundle.executable-missing", at: "/Frameworks/Kit.framework") {
            $0.nesting(.framework("Kit")) { $0.hasExecutable = false }
        },
        RuleCase("bundle.executable-missing", at: "/Frameworks/Kit.framework") {
            $0.nesting(.framework("Kit")) { $0.info["CFBundleExecutable"] = .some(nil) }
        },
        RuleCase(
            "bundle.executable-missing",
            .warns,
            at: "/Frameworks/Kit.framework/Frameworks/Deep.framework",
        ) {
            $0.nesting(.framework("Kit")) {
                var deep = BundleDraft.framework("Deep")
                deep.hasExecutable = false
                $0.nested = [deep]
                $0.adjustExecutable = { $0.libraries.removeLast() }
            }
        },
        RuleCase("bundle.executable-mode", .warns, at: folder + "/Widget") {
            $0.nesting(.widget("Widget"))
                .afterSigning { try $0.setMode("PlugIns/Widget.appex/Widget", 0o644) }
        },
        RuleCase("bundle.info-missing", at: info) {
            $0.nesting(.widget("Widget")) { $0.infoForm = .verbatim(nil) }
        },
        RuleCase("bundle.info-malformed", at: info) {
            $0.nesting(.widget("Widget")) { $0.infoForm = .verbatim(Array("nonsense".utf8)) }
        },
        RuleCase("bundle.info-missing", at: kitInfo) {
            $0.nesting(.framework("Kit")) { $0.infoForm = .verbatim(nil) }
        },
        RuleCase("bundle.info-malformed", at: kitInfo) {
            $0.nesting(.framework("Kit")) { $0.infoForm = .verbatim(Array("nonsense".utf8)) }
        },
        RuleCase("info.identifier-missing", at: kitInfo) {
            $0.nesting(.framework("Kit")) { $0.info["CFBundleIdentifier"] = .some(nil) }
        },
        RuleCase("info.build-missing", at: info) {
            $0.nesting(.widget("Widget")) { $0.info["CFBundleVersion"] = .some(nil) }
        },
    ]
}
