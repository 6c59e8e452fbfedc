import Bundles
import Cryptography
import Foundation
import PropertyLists
import TestSupport
import Testing

@Suite struct ProfileTests {
    private let date = Date(timeIntervalSince1970: 1_768_435_200)

    private func content(_ more: [String: PropertyList] = [:]) -> PropertyList {
        let base: [String: PropertyList] = [
            "Name": .string("N"), "UUID": .string("U"), "CreationDate": .date(date),
            "ExpirationDate": .date(date), "Entitlements": .dictionary([:]),
        ]
        return .dictionary(base.merging(more) { $1 })
    }

    @Test(
        arguments: [
            ([:], false, .appStore),
            (["ProvisionedDevices": .array([])], false, .adHoc),
            (["ProvisionedDevices": .array([])], true, .development),
            (["ProvisionsAllDevices": .boolean(true)], false, .enterprise),
            (["ProvisionsAllDevices": .boolean(false)], false, .appStore),
            (["ProvisionsAllDevices": .string("yes")], true, .appStore),
        ] as [([String: PropertyList], Bool, ProfileKind)]
    )
    func `the keys decide the type`(
        keys: [String: PropertyList],
        getTaskAllow: Bool,
        kind: ProfileKind,
    ) throws {
        var keys = keys
        keys["Entitlements"] = .dictionary(["get-task-allow": .boolean(getTaskAllow)])
        let profile = try ProvisioningProfile(content: content(keys), trust: .apple)
        #expect(profile.kind == kind)
    }

    @Test(arguments: ["Name", "UUID", "CreationDate", "ExpirationDate", "Entitlements"])
    func `a key that every profile has must be there`(key: String) throws {
        #expect(throws: ProfileRefusal.missing(key)) {
            try ProvisioningProfile(content: content([key: .boolean(true)]), trust: .apple)
        }
    }

    @Test func `text in lists that should hold something else is counted, not trusted`() throws {
        let profile = try ProvisioningProfile(
            content: content([
                "ProvisionedDevices": .array([
                    .string("x"), .integer(3), .string("00008110-000A1B2C3D4E5F60"),
                ]),
                "DeveloperCertificates": .array([.data([0x30]), .string("x")]),
                "TeamIdentifier": .string("T"), "Platform": .integer(1),
            ]),
            trust: .apple,
        )
        #expect(profile.devices?.count == 1)
        #expect(profile.unreadableDevices == 2)
        #expect(profile.certificates.isEmpty)
        #expect(profile.unreadableCertificates == 2)
        #expect(profile.team == nil)
        #expect(profile.platforms.isEmpty)
    }

    @Test func `a bare property list is read as claims and never proven`() throws {
        for bytes in [content().xml(), content().binary()] {
            let envelope = ProfileEnvelope(bytes: bytes, place: "x")
            #expect(try !envelope.claims().trust.isVerified)
            #expect(throws: ProfileRefusal.unsigned) {
                try envelope.verified(against: .apple, at: date)
            }
        }
    }

    @Test func `bytes that are nothing are refused`() {
        for bytes in [[], [0x30], [0x30, 0x80], Array("<?xml".utf8), Array("</plist><plist".utf8)] {
            #expect(throws: ProfileRefusal.self) {
                try ProfileEnvelope(bytes: bytes, place: "x").claims()
            }
        }
    }

    @Test(
        .enabled(if: Fixtures.arePresent, "the real fixtures are not on this machine"),
        arguments: Fixtures.items(ofKind: "profile"),
    )
    func `a real profile says what the manifest says`(_ item: Fixtures.Item) throws {
        let envelope = ProfileEnvelope(bytes: try item.bytes(), place: item.path)
        guard !item.facts.hasPrefix("unparsable") else {
            #expect(throws: ProfileRefusal.self) { try envelope.claims() }
            return
        }
        let profile: ProvisioningProfile
        do throws(ProfileRefusal) {
            profile = try envelope.judged(against: .apple, at: date)
        } catch {
            // This profile was handmade for another tool's tests, with text instead of certificates.
            #expect(item.facts.contains("NO CMS") && "\(error)".contains("not base64"))
            return
        }
        let facts = item.facts.split(separator: "; ").map(String.init)
        let kind = facts[0].replacing("macos/", with: "").replacing(" profile", with: "")
        #expect(profile.kind.rawValue == kind)
        #expect(facts.contains("exp=" + profile.expires.formatted(.iso8601.year().month().day())))
        let devices = profile.devices.map { String($0.count + profile.unreadableDevices) } ?? "None"
        #expect(facts.contains("devices=" + devices))
        #expect(facts.contains("platform=" + profile.platforms.joined(separator: ",")))
        #expect(facts.contains("appid=\(profile.applicationIdentifier?.rawValue ?? "")"))
        // One of them is signed by a self-made authority, as its names say.
        let isGenuine = facts.contains("cms=ok") && !item.facts.contains("appid=TestFixture.")
        #expect(profile.trust.isVerified == isGenuine, "\(profile.trust)")
    }

    @Test(.enabled(if: Fixtures.arePresent, "the real fixtures are not on this machine"))
    func `damage to a genuine profile is refused or unproven, never a crash`() throws {
        let item = try #require(
            Fixtures.items(ofKind: "profile").first {
                $0.path.hasSuffix("ios_adhoc.mobileprovision")
            }
        )
        let bytes = try item.bytes()
        let genuine = try ProfileEnvelope(bytes: bytes, place: "x").judged(
            against: .apple,
            at: date,
        )
        #expect(genuine.trust == .apple)
        for length in stride(from: 0, to: bytes.count, by: 97) {
            let envelope = ProfileEnvelope(bytes: Array(bytes[..<length]), place: "x")
            #expect(throws: ProfileRefusal.self) {
                try envelope.verified(against: .apple, at: date)
            }
            _ = try? envelope.claims()
        }
        for (index, damaged) in SeededDamage.flips(of: bytes, count: 400, seed: 20).enumerated() {
            let envelope = ProfileEnvelope(bytes: damaged, place: "x")
            // If it still verifies, the damage is outside of what is signed, and the content is the same.
            guard let profile = try? envelope.verified(against: .apple, at: date) else { continue }
            #expect(profile == genuine, "flip \(index) of seed 20")
        }
    }
}
