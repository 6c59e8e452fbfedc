import Bundles
import Foundation
import Identifiers
import Inspection
import PropertyLists
import Sample
import Testing

/// The first sentence names the cause, and no sentence is untrue.
@Suite struct WordingTests {
    @Test func `a family that is a text is said to be one`() throws {
        let found = try GoodBuild.app().info("UIDeviceFamily", .string("1")).complaints()
        #expect(
            found.first?.message.hasPrefix(
                "UIDeviceFamily is a string, but should be an array of numbers."
            ) == true
        )
    }

    @Test func `a list of models that is none is one finding, for a device too`() throws {
        let report = try GoodBuild.app().info("UISupportedDevices", .array([.integer(1)])).report()
        let device = DeviceFacts(
            udid: DeviceUDID(GoodBuild.devices[0]),
            family: .phone,
            os: OSVersion(major: 18),
            model: "iPhone15,2",
        )
        let reasons = report.verdict(for: device, at: GoodBuild.now).reasons
        #expect(reasons.map(\.id) == ["info.supported-devices-invalid"])
    }

    @Test func `a profile that was cut off is said to be`() throws {
        let whole = try GoodBuild.app().tree().bytes(of: "embedded.mobileprovision")
        for count in [100, whole.count / 2, whole.count - 1] {
            let found = try GoodBuild.app().withoutProfile()
                .resource(.file("embedded.mobileprovision", Array(whole.prefix(count))))
                .complaints()
            #expect(found.map(\.id) == ["profile.malformed"], "\(found.map(\.message))")
            #expect(found.first?.message.contains("truncated: it has \(count) of the") == true)
        }
    }

    @Test func `a certificate of another team is named with both teams`() throws {
        let other = try SigningAuthority.cached().otherTeam(at: GoodBuild.now)
        let found = try GoodBuild.app().signing { $0.identity = other }.complaints()
        #expect(found.map(\.id) == ["signature.team-differs"])
        let message = try #require(found.first?.message)
        #expect(message.contains("“OTHERTEAM9”"))
        #expect(message.contains("“OTASAMPLE1”"))
    }

    @Test func `a watch app of another prefix comes before what follows from it`() throws {
        var watch = BundleDraft.watchApplication(
            "Watch",
            identifier: "com.other.watch",
            companion: "com.example.app",
        )
        var tile = BundleDraft.widget("Tile")
        tile.identifier = "com.example.app.watch.Tile"
        watch.nested = [tile]
        let found = try GoodBuild.app().nesting(watch).complaints().filter {
            $0.severity == .blocks
        }
        #expect(found.map(\.id) == ["watch.identifier-not-prefixed"], "\(found.map(\.message))")
        #expect(
            found.first?.message.hasSuffix(
                "As a result: a nested bundle's identifier does not begin with the app's."
            ) == true
        )
    }

    @Test func `what is documented is not said to be undocumented`() throws {
        let builds = [
            try GoodBuild.app().signing { $0.version = 0x20300 },
            try GoodBuild.app().minimumOS("13.0").signing { $0.version = 0x20300 },
            try GoodBuild.app().nesting(.framework("Kit")) { $0.hasExecutable = false },
        ]
        for build in builds {
            let found = try build.complaints()
            #expect(found.count == 1)
            #expect(found.first?.message.contains("not document") == false)
        }
    }

    @Test func `what no document says is called unverified`() throws {
        let found = try GoodBuild.app().info("MinimumOSVersion", .string("abc")).complaints()
        #expect(found.first?.severity == .warns)
        #expect(found.first?.message.contains("Unverified: ") == true)
    }

    @Test func `a library with an Info.plist inside has no complaint`() throws {
        let library = { (draft: inout BundleDraft) in
            draft.architectures = [.armv7, .arm64]
            draft.adjustExecutable = {
                $0.information = Array("<plist version=\"1.0\"><dict/></plist>".utf8)
            }
        }
        let build = try GoodBuild.app().nesting(.dynamicLibrary("libswift_Concurrency"), library)
        #expect(try build.complaints().map(\.message) == [])
        let report = try build.report()
        #expect(report.nested.map(\.signature?.isIntact) == [true])
        // Signed on a machine that used another slice's Info.plist for all slices.
        let other = try GoodBuild.app().nesting(.dynamicLibrary("libswift_Concurrency")) {
            $0.architectures = [.armv7, .arm64]
            $0.adjustExecutable = { $0.information = Array("\($0.architecture)".utf8) }
            $0.signing.informationSlot = Array("armv7".utf8)
        }
        #expect(try other.complaints().map(\.message) == [])
        // Other signing tools leave this out.
        let bare = try GoodBuild.app().nesting(.dynamicLibrary("libswift_Concurrency")) {
            $0.adjustExecutable = { $0.information = Array("<plist/>".utf8) }
            $0.signing.uncoveredSlots = [1]
        }
        #expect(try bare.complaints().map(\.message) == [])
    }

    @Test func `no finding is about a file that cannot be there`() throws {
        for spoilt in RuleCase.signature {
            let build = try spoilt.spoil(GoodBuild.app())
            let findings = try build.report().findings
            #expect(!findings.contains { $0.place.contains(".dylib/") }, "\(spoilt.id)")
        }
    }
}
