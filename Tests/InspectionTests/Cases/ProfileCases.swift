import Cryptography
import Foundation
import Inspection
import PropertyLists
import Sample

extension RuleCase {
    private static let place = "/embedded.mobileprovision"
    private static let executable = "/Example"

    /// The app's profile, and the certificate with which the app is signed.
    static let profile: [RuleCase] = [
        RuleCase("profile.missing", at: place) { $0.withoutProfile() },
        RuleCase("profile.malformed", at: place) {
            $0.withoutProfile().resource(.text("embedded.mobileprovision", "<plist></plist>"))
        },
        RuleCase("profile.malformed", at: place) { $0.profileKey("UUID", .integer(1)) },
        RuleCase("profile.malformed", at: place) {
            let whole = try $0.tree().bytes(of: "embedded.mobileprovision")
            return $0.withoutProfile().resource(
                .file("embedded.mobileprovision", Array(whole.dropLast(100)))
            )
        },
        RuleCase("profile.team-missing", .warns, at: place) {
            $0.profileKey("TeamIdentifier", nil)
        },
        RuleCase("profile.unverified", at: place) {
            $0.withoutProfile().resource(
                .file("embedded.mobileprovision", try GoodBuild.unsignedProfile())
            )
        },
        RuleCase("profile.unverified", at: place) {
            let impostor = try $0.authority.impostorProfileSigner(at: GoodBuild.signing)
            return $0.editingProfile { $0.signer = impostor }
        },
        RuleCase("profile.no-devices", at: place) { $0.editingProfile { $0.devices = [] } },
        RuleCase("profile.devices-unreadable", .notes, at: place) {
            $0.editingProfile { $0.devices.append("my phone") }
        },
        RuleCase("profile.no-certificates", at: place) {
            $0.editingProfile { $0.certificates = [] }
        },
        RuleCase("profile.no-certificates", .warns, at: place) {
            $0.profileKey("DeveloperCertificates", .array([.data([1, 2, 3])]))
        },
        RuleCase("profile.app-store", at: place) { $0.editingProfile { $0.kind = .appStore } },
        RuleCase("profile.testflight", at: place) { $0.editingProfile { $0.kind = .testFlight } },
        RuleCase("profile.enterprise", .notes, at: place) {
            $0.editingProfile { $0.kind = .enterprise }
        },
        RuleCase("profile.wrong-platform", at: place) {
            $0.editingProfile { $0.platforms = ["OSX"] }
        },
        RuleCase("profile.identifier-mismatch", at: place) {
            $0.editingProfile { $0.pattern = "com.example.other" }
        },
        RuleCase("profile.identifier-mismatch", at: place) {
            $0.editingProfile { $0.pattern = "com.example.app.*" }
        },
        RuleCase("profile.identifier-mismatch", at: place) {
            $0.entitlement("application-identifier", .string("OTASAMPLE1.com.example.third"))
                .editingProfile { $0.pattern = "com.example.other" }
        },
        RuleCase("profile.identifier-mismatch", at: place) {
            $0.entitlement("application-identifier", nil)
                .editingProfile { $0.pattern = "com.example.other" }
        },
        RuleCase("profile.identifier-mismatch", at: place) {
            $0.editingProfile { $0.withheld = ["application-identifier"] }
        },
        RuleCase("profile.prefix-mismatch", .warns, at: place) {
            $0.editingProfile { $0.prefix = "OTHER12345" }
                .profileKey("ApplicationIdentifierPrefix", .array([.string("OTASAMPLE1")]))
        },
        RuleCase("profile.team-mismatch", .warns, at: place) {
            $0.profileKey("TeamIdentifier", .array([.string("OTHER12345")]))
        },
        RuleCase("profile.expired", at: place) {
            $0.editingProfile { $0.expires = GoodBuild.now }
        },
        RuleCase("profile.expires-soon", .warns, at: place) {
            $0.editingProfile { $0.expires = GoodBuild.now.addingDays(30) }
        },
        RuleCase("profile.not-yet-valid", .warns, at: place) {
            $0.editingProfile { $0.created = GoodBuild.now.addingDays(1) }
        },
        RuleCase("profile.second-signature-refused", at: place) {
            let stranger = try SigningAuthority(validFrom: GoodBuild.signing).secondProfileSigner
            return $0.editingProfile {
                $0.includesDERForm = true
                $0.secondSigner = stranger
            }
        },
        RuleCase("profile.second-signature-refused", .warns, at: place) {
            let other = $0.authority.profileSigner
            return $0.editingProfile {
                $0.includesDERForm = true
                $0.secondSigner = other
            }
        },
        RuleCase("profile.second-signature-refused", .warns, at: place) {
            $0.minimumOS("14.0").profileKey("DER-Encoded-Profile", .data([0x30, 0x00]))
        },
        RuleCase("profile.second-signature-refused", at: place) {
            $0.profileKey("DER-Encoded-Profile", .string("none"))
        },
        RuleCase("profile.second-form-differs", .warns, at: place) {
            $0.editingProfile {
                $0.includesDERForm = true
                $0.secondOverrides["ProvisionedDevices"] = .array([.string(GoodBuild.devices[0])])
            }
        },
        RuleCase("profile.second-form-differs", .warns, at: place) {
            $0.editingProfile {
                $0.includesDERForm = true
                $0.secondOverrides["ExpirationDate"] = .date(GoodBuild.now)
            }
        },
        RuleCase("profile.second-form-differs", .warns, at: place) {
            $0.editingProfile {
                $0.includesDERForm = true
                $0.secondOverrides["DeveloperCertificates"] = .array([])
            }
        },
        RuleCase("profile.second-form-differs", .warns, at: place) {
            $0.editingProfile {
                $0.includesDERForm = true
                $0.secondOverrides["Entitlements"] = .some(nil)
            }
        },
        RuleCase("profile.free-account", .warns, at: place) {
            $0.profileKey("LocalProvision", .boolean(true))
        },
        RuleCase("profile.online-check", .notes, at: place) {
            $0.profileKey("PPQCheck", .boolean(true))
        },
        RuleCase("certificate.expired", at: executable) {
            try $0.signed(until: GoodBuild.now.addingTimeInterval(-60))
        },
        RuleCase("certificate.expired", at: executable) {
            try $0.signed(
                until: GoodBuild.now.addingTimeInterval(-60),
                allowing: [$0.authority.distribution.certificate],
            )
        },
        RuleCase("certificate.expires-soon", .warns, at: executable) {
            try $0.signed(until: GoodBuild.now.addingDays(3))
        },
        RuleCase("certificate.expires-soon", .warns, at: executable) {
            try $0.signed(
                until: GoodBuild.now.addingDays(3),
                allowing: [$0.authority.distribution.certificate],
            )
        },
        RuleCase("certificate.not-yet-valid", at: executable) {
            try $0.signed(
                from: GoodBuild.now.addingTimeInterval(60),
                until: GoodBuild.now.addingDays(200),
            )
        },
    ]
}
