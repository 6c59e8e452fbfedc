import Bundles
import Cryptography
import Foundation
import Identifiers
import Inspection
import PropertyLists
import Sample
import Testing

/// A single cause is reported as one finding, which comes first and names its consequences.
@Suite struct RootCauseTests {
    private static let profile = "Payload/Example.app/embedded.mobileprovision"

    /// The findings that prevent a build's installation.
    private func reasons(_ build: IPABuilder) throws -> [Finding] {
        try build.complaints().filter { $0.severity == .blocks }
    }

    /// An app of another team, signed by it, with its own profile.
    private func stranger() throws -> SampleTree {
        let other = try SigningAuthority.cached().otherTeam(at: GoodBuild.signing)
        return try GoodBuild.app("com.other.app").entitlement(
            "aps-environment",
            .string("production"),
        )
        .editingProfile {
            $0.team = .other
            $0.certificates = [other.certificate]
        }
        .signing { $0.identity = other }.tree()
    }

    @Test func `another team's profile is one finding`() throws {
        let other = try stranger().bytes(of: "embedded.mobileprovision")
        let found = try reasons(
            GoodBuild.app().entitlement("com.apple.developer.homekit", .boolean(true))
                .nesting(.framework("Kit"), .widget("Widget"))
                .afterSigning { try $0.replace("embedded.mobileprovision", with: other) }
        )
        #expect(found.map(\.id) == ["seal.modified"], "\(found.map(\.message))")
        #expect(found.first?.place == Self.profile)
        let message = try #require(found.first?.message)
        #expect(message.hasPrefix("“embedded.mobileprovision” was replaced"))
        #expect(message.contains("the provisioning profile is for another app"))
        #expect(message.contains("the code is signed for another team"))
    }

    @Test func `another team's profile in an extension is one finding`() throws {
        let other = try stranger().bytes(of: "embedded.mobileprovision")
        let found = try reasons(
            GoodBuild.app().nesting(.widget("Widget")).afterSigning {
                try $0.replace("PlugIns/Widget.appex/embedded.mobileprovision", with: other)
            }
        )
        #expect(found.map(\.id) == ["seal.modified"], "\(found.map(\.message))")
    }

    @Test func `another team's program is one finding`() throws {
        let other = try stranger().bytes(of: "Example")
        let found = try reasons(
            GoodBuild.app().nesting(.framework("Kit"))
                .afterSigning { try $0.replace("Example", with: other) }
        )
        #expect(found.map(\.id) == ["signature.program-exchanged"], "\(found.map(\.message))")
        let message = try #require(found.first?.message)
        #expect(message.contains("“com.other.app” for team “OTHERTEAM9”"))
        #expect(message.contains("the code is signed for another team"))
    }

    @Test func `what does not follow from an exchange is still found`() throws {
        let other = try stranger().bytes(of: "Example")
        let found = try reasons(
            GoodBuild.app().afterSigning {
                try $0.replace("Example", with: other)
                $0.add(.text("en.lproj/more.txt", "more"))
                try $0.remove("embedded.mobileprovision")
            }
        )
        #expect(found.first?.id == "signature.program-exchanged")
        #expect(found.contains { $0.id == "profile.missing" })
    }

    @Test func `an extension that was taken out is one finding`() throws {
        let found = try reasons(
            GoodBuild.app().nesting(.widget("Widget"), .shareExtension("Share"))
                .afterSigning { try $0.remove("PlugIns/Widget.appex") }
        )
        #expect(found.map(\.id) == ["seal.missing"])
        #expect(found.first?.place == "Payload/Example.app/PlugIns/Widget.appex")
        #expect(
            found.first?.message == "“Widget.appex” with its 4 files was sealed, but is missing."
        )
    }

    @Test func `the only extension that was taken out is named, not its folder`() throws {
        let found = try reasons(
            GoodBuild.app().nesting(.widget("Widget"))
                .afterSigning { try $0.remove("PlugIns") }
        )
        #expect(found.map(\.place) == ["Payload/Example.app/PlugIns/Widget.appex"])
    }

    @Test func `an extension that was renamed is one finding`() throws {
        let found = try reasons(
            GoodBuild.app().nesting(.widget("Widget")).afterSigning { tree in
                for index in tree.files.indices {
                    tree.files[index].path.replace("Widget.appex", with: "Tile.appex")
                }
            }
        )
        #expect(found.map(\.id) == ["seal.missing"], "\(found.map(\.message))")
        #expect(
            found.first?.message
                == "“Widget.appex” was renamed to “Tile.appex” after the bundle was signed."
        )
    }

    @Test func `an extension that was put in is one finding`() throws {
        let other = try GoodBuild.app().nesting(.widget("Widget")).tree()
        let found = try reasons(
            GoodBuild.app().afterSigning { tree in
                tree.files += other.files.filter { $0.path.contains("/PlugIns") }
            }
        )
        #expect(found.map(\.id) == ["seal.added"], "\(found.map(\.message))")
        #expect(found.first?.message.hasPrefix("“Widget.appex” with its 4 files was added") == true)
    }

    @Test func `an expired profile of every bundle is one finding`() throws {
        let watch = BundleDraft.watchApplication(
            "Watch",
            identifier: "com.example.app.watch",
            companion: "com.example.app",
        )
        let found = try reasons(
            GoodBuild.app().nesting(.widget("Widget"), watch)
                .editingProfile { $0.expires = GoodBuild.now.addingTimeInterval(-60) }
        )
        #expect(found.map(\.id) == ["profile.expired"], "\(found.map(\.message))")
        let message = try #require(found.first?.message)
        #expect(found.first?.place == Self.profile)
        #expect(message.contains("; likewise"))
        #expect(message.contains("Widget.appex/embedded.mobileprovision"))
        #expect(message.contains("Watch.app/embedded.mobileprovision"))
    }

    @Test func `a device that no profile lists is one finding`() throws {
        let stranger = DeviceFacts(udid: DeviceUDID(SampleDevices.unlisted), family: .phone)
        let report = try GoodBuild.app().nesting(.widget("Widget"), .shareExtension("Share"))
            .report()
        let reasons = report.verdict(for: stranger, at: GoodBuild.now).reasons
        #expect(reasons.map(\.id) == ["device.not-in-profile"])
        #expect(reasons.first?.message.contains("Widget.appex/embedded.mobileprovision") == true)
    }

    @Test func `a finding that was merged once stays as it is`() throws {
        let report = try GoodBuild.app().nesting(.widget("Widget"))
            .editingProfile { $0.kind = .appStore }.report()
        #expect(report.findings(at: GoodBuild.now) == report.findings)
        #expect(report.findings.filter { $0.id == "profile.app-store" }.count == 1)
    }
}
