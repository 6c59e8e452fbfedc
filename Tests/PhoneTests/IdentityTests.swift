import Bundles
import Foundation
import Identifiers
import Phone
import PropertyLists
import Testing
import Zip

@Suite(.serialized) struct IdentityTests {
    private static func outcome(
        _ change: (inout [String: PropertyList]) -> Void = { _ in },
        _ phone: (inout SimulatedPhone) -> Void = { _ in },
    ) async throws -> Outcome {
        var site = try TestSite()
        site.archive = try TestSite.archive(change)
        return try await install(from: site, phone)
    }

    @Test func `another identifier than the manifest's vanishes without a word`() async throws {
        let outcome = try await Self.outcome { $0["CFBundleIdentifier"] = .string("com.example.b") }
        #expect(outcome.fatal == [.identifierDiffers])
        #expect(outcome.attempt.failure?.shown?.contains("vanishes") == true)
        #expect(!outcome.attempt.installs)
    }

    @Test func `another version than the manifest's warns`() async throws {
        let outcome = try await Self.outcome { $0["CFBundleVersion"] = .string("8") }
        #expect(outcome.attempt.installs)
        #expect(outcome.faults == [.versionDiffers])
    }

    @Test func `a device that is too old is refused`() async throws {
        let outcome = try await Self.outcome { $0["MinimumOSVersion"] = .string("18.2") }
        #expect(outcome.fatal == [.systemTooOld])
        #expect(
            try await Self.outcome { $0["MinimumOSVersion"] = .string("18.1") }.attempt.installs
        )
    }

    @Test func `an app for the other family is refused, and an iPad takes an iPhone's`()
        async throws
    {
        let forPads = try await Self.outcome { $0["UIDeviceFamily"] = .array([.integer(2)]) }
        #expect(forPads.fatal == [.wrongFamily])
        let forPhones = try await Self.outcome(
            { $0["UIDeviceFamily"] = .array([.integer(1)]) },
            { $0.family = .pad },
        )
        #expect(forPhones.attempt.installs)
    }

    @Test func `a file that is no IPA is refused by name`() async throws {
        var site = try TestSite()
        site.archive = Array("not a zip at all".utf8)
        let outcome = try await install(from: site)
        #expect(outcome.fatal == [.archiveUnreadable])
        #expect(outcome.files == 0)
        site.archive = try ZipWriter.archive { try $0.add("readme.txt", contents: [1]) }
        #expect(try await install(from: site).fatal == [.archiveUnreadable])
    }

    @Test func `a device is looked for in the profile and never named`() async throws {
        let udid = "00008120-000000000000001E"
        let outcome = try await Self.outcome { _ in
        } _: {
            $0.udid = DeviceUDID(udid)
        }
        #expect(outcome.fatal == [.profileMissing])
        let json = String(decoding: try JSONEncoder().encode(outcome.attempt), as: UTF8.self)
        #expect(!json.contains(udid))
    }

    @Test(arguments: [(true, [FaultID]()), (false, [.deviceMissing])])
    func `a bare profile's list decides`(isListed: Bool, faults: [FaultID]) async throws {
        var site = try TestSite()
        let listed = "00008120-0000000000000001"
        let profile = PropertyList.dictionary([
            "Name": .string("Orchard Ad Hoc"), "UUID": .string(UUID().uuidString),
            "TeamName": .string("Team"), "TeamIdentifier": .array([.string("TEAM123456")]),
            "ApplicationIdentifierPrefix": .array([.string("TEAM123456")]),
            "CreationDate": .date(Date(timeIntervalSince1970: 1_700_000_000)),
            "ExpirationDate": .date(Date(timeIntervalSince1970: 2_000_000_000)),
            "Platform": .array([.string("iOS")]),
            "ProvisionedDevices": .array([.string(listed)]),
            "DeveloperCertificates": .array([]),
            "Entitlements": .dictionary([
                "application-identifier": .string("TEAM123456.com.example.orchard")
            ]),
        ])
        site.archive = try ZipWriter.archive { zip in
            try zip.add(
                "Payload/Orchard.app/Info.plist",
                contents: PropertyList.dictionary([
                    "CFBundleIdentifier": .string("com.example.orchard"),
                    "CFBundleVersion": .string("7"),
                ]).xml(),
            )
            try zip.add("Payload/Orchard.app/embedded.mobileprovision", contents: profile.xml())
        }
        let outcome = try await install(from: site) {
            $0.udid = DeviceUDID(isListed ? listed : "00008120-0000000000000002")
        }
        #expect(outcome.fatal == faults)
    }
}
