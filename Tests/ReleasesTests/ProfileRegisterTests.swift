import Bundles
import Foundation
import Identifiers
import Inspection
import Releases
import Testing

struct ProfileRegisterTests {
    private func summary(_ uuid: String, days: Double, name: String = "Ad Hoc") -> ProfileSummary {
        ProfileSummary(
            uuid: uuid,
            name: name,
            type: .adHoc,
            team: "ABCDE12345",
            teamName: "Example",
            applicationIdentifier: "ABCDE12345.*",
            created: ExampleRelease.now,
            expires: ExampleRelease.now + days * 86_400,
            devices: [],
            trust: .apple,
            certificates: [],
        )
    }

    private func use(
        _ version: String,
        bundle: String = "Payload/A.app",
    ) throws -> ProfileRecord.Use {
        ProfileRecord.Use(
            app: try #require(BundleIdentifier("com.example.a")),
            release: ReleaseIdentifier(version: version, build: "1"),
            bundle: bundle,
        )
    }

    @Test func `those that expire first come first`() {
        var register = ProfileRegister()
        register.note(summary("C", days: 30), in: nil)
        register.note(summary("B", days: 3), in: nil)
        register.note(summary("A", days: 30), in: nil)
        #expect(register.byExpiry.map(\.uuid) == ["B", "A", "C"])
    }

    @Test func `a profile keeps the newest use of each bundle`() throws {
        var register = ProfileRegister()
        let profile = summary("A", days: 30)
        let uses = [
            nil, try use("1.0"), try use("1.0"), try use("1.1"),
            try use("1.1", bundle: "Payload/A.app/PlugIns/W.appex"), nil,
        ]
        let changes = uses.map { register.note(profile, in: $0) }
        #expect(changes == [true, true, false, true, true, false])
        let kept = try #require(register.profiles["A"]).uses
        #expect(kept.map(\.release.rawValue) == ["1.1-1", "1.1-1"])
    }

    @Test func `the count of devices is kept and their identifiers are not`() throws {
        let record = ProfileRecord(summary("A", days: 30))
        #expect(record.deviceCount == 0)
        #expect(record.isVerified)
        var register = ProfileRegister()
        register.note(summary("A", days: 30), in: try use("1.0"))
        let text = try StoredJSON.text(register)
        #expect(text.contains("\"schema\" : 1"))
        #expect(!text.contains("\"devices\""))
        #expect(try StoredJSON.value(ProfileRegister.self, from: text) == register)
    }
}
