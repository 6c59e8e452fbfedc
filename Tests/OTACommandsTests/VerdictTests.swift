import Foundation
import Releases
import Sample
import TestSupport
import Testing

/// Verdicts for one device, for one that is only described, and for the whole register.
@Suite(.timeLimit(.minutes(10)))
struct VerdictTests {
    private let anchor = ["--trusted-ca", "anchor.pem"]
    private let listed = SampleDevices.list(3)[1]
    private let old = SampleDevices.list(3)[2]

    @Test func `every device has its verdict, those that cannot install first`() async throws {
        try await Workplace.run { place in
            try place.build()
            try await register(in: place)
            let all = try await place.json(["validate", "build.ipa", "--all-devices"] + anchor)
            #expect(names(all) == ["Old", "Stranger", "Ana"])
            #expect(all["verdict"].string == "unknown", "it depends on the device")
            #expect(all["registered"].number == 3)
            #expect(all["canInstall"].number == 1)
            for device in all["devices"].items {
                #expect(
                    device.keys == [
                        "name", "family", "model", "os", "verdict", "why", "reasons", "messages",
                    ]
                )
            }
            let reasons = all["devices"].items.map { $0["reasons"].items.map(\.string) }
            #expect(reasons == [["device.os-too-old"], ["device.not-in-profile"], []])
            #expect(all["devices"].items[1]["os"] == .null)
            let named = try await place.json(
                ["validate", "build.ipa", "--all-devices", "--udids"] + anchor
            )
            #expect(named["devices"].items.last?["udid"].string == listed)
            let checked = try await place.json(["devices", "check", "build.ipa"] + anchor)
            #expect(checked == named, "one implementation")
        }
    }

    @Test func `the exit status says whether any device can install it`() async throws {
        try await Workplace.run { place in
            try place.build()
            try await register(in: place)
            let table = ["validate", "build.ipa", "--all-devices"]
            #expect(try await place.ota(table + anchor).status == 0)
            let strict = try await place.ota(table + anchor + ["--fail-on", "warns"])
            #expect(strict.status == 1)
            let untrusted = try await place.ota(table)
            #expect(untrusted.status == 1)
            let late = try await place.json(table + anchor + ["--at", "2091-01-01"], status: 1)
            #expect(late["verdict"].string == "blocked")
            #expect(late["canInstall"].number == 0)
            try place.write("no archive", to: "text.ipa")
            let text = try await place.json(["validate", "text.ipa", "--all-devices"], status: 1)
            #expect(text["devices"].items.count == 3)
            #expect(text["devices"].items.allSatisfy { $0["verdict"].string == "blocked" })
        }
    }

    @Test func `the table names device, reason and what to do`() async throws {
        try await Workplace.run { place in
            try place.build()
            try await register(in: place)
            let text = try await place.ota(["validate", "build.ipa", "--all-devices"] + anchor)
                .output
            let rows = text.split(separator: "\n")
            let old = try #require(rows.first { $0.hasPrefix("Old ") })
            #expect(old.contains("iPhone8,1") && old.contains("12.1") && old.contains("blocked"))
            #expect(old.hasSuffix("The device's iOS is older than the app needs"))
            #expect(rows.contains { $0.hasPrefix("Ana ") && $0.hasSuffix("installs") })
            #expect(text.contains("✗ device.not-in-profile  0xe8008012  1 device\n"))
            #expect(text.contains("phone “This app cannot be installed because its integrity"))
            #expect(text.contains("fix   Register the device"))
            #expect(text.contains("\n1 of 3 devices can install it.\nInstalls until "))
        }
    }

    @Test func `a device that is only described is judged by what is said`() async throws {
        try await Workplace.run { place in
            try place.build()
            let validate = ["validate", "build.ipa"] + anchor
            let fits = try await place.json(validate + ["--model", "iPhone15,2", "--os", "18.1"])
            #expect(fits["verdict"].string == "unknown", "the profile's list decides")
            let old = try await place.json(validate + ["--os", "12.1"], status: 1)
            #expect(blocking(old) == ["device.os-too-old"])
            let tv = try await place.json(validate + ["--model", "AppleTV11,1"], status: 1)
            #expect(blocking(tv) == ["device.family-unsupported"])
        }
    }

    @Test func `a forecast names what ends first, and since when it is over`() async throws {
        try await Workplace.run { place in
            try place.build { $0.editingProfile { $0.expires = Self.day(200) } }
            let day = Wording.day(Self.day(200))
            let profile = "Payload/Browsey.app/embedded.mobileprovision"
            let soon = try await place.ota(["validate", "build.ipa"] + anchor).output
            #expect(soon.contains("Installs until \(day), because the profile “"))
            #expect(soon.contains("” in \(profile) expires in "))
            let over = try await place.ota(
                ["validate", "build.ipa", "--at", "2091-01-01"] + anchor
            )
            #expect(over.output.contains("Stopped installing on \(day), because the profile “"))
            #expect(over.output.contains("” in \(profile) expired."))

            let validated = try await place.json(["validate", "build.ipa"] + anchor)
            #expect(
                validated["installsUntil"].string?.hasPrefix(
                    Self.day(200).formatted(.iso8601.year().month().day())
                ) == true
            )
            let because = validated["installsUntilBecause"]
            #expect(because.keys == ["cause", "name", "place"])
            #expect(because["cause"].string == "profile")
            #expect(because["place"].string == profile)
            let published = try await place.json(["publish", "build.ipa"] + anchor)
            #expect(published["installsUntilBecause"] == because)
            let shown = try await place.json("releases", "show", "browsey", "1.4.0")
            #expect(shown["installsUntilBecause"] == because)
            #expect(shown["installsUntil"] == validated["installsUntil"])
        }
    }

    @Test func `publish and releases say how many devices can install it`() async throws {
        try await Workplace.run { place in
            try place.build()
            try await register(in: place)
            let text = try await place.ota(["publish", "build.ipa", "--no-qr"] + anchor).output
            #expect(text.contains("1 of 3 known devices can install it; `ota devices check"))
            try await place.serving(with: anchor) { server in
                let words = ["publish", "build.ipa", "--no-qr"] + anchor
                let remote = try await place.ota(words + server.options)
                let count = "1 of 3 known devices can install it; `ota devices check"
                #expect(remote.output.contains(count), "\(remote)")
            }
            let again = try await place.json("publish", "build.ipa")
            #expect(again["devices"]["registered"].number == 3)
            #expect(again["devices"]["canInstall"].number == 1)
            let shown = try await place.json("releases", "show", "browsey", "1.4.0")
            #expect(shown["devices"] == again["devices"])
            let checked = try await place.json("devices", "check", "browsey", "1.4.0")
            #expect(names(checked) == ["Old", "Stranger", "Ana"])
        }
    }

    @Test func `a refused publish shows every finding with its place`() async throws {
        try await Workplace.run { place in
            try place.build { $0.withoutProfile().minimumOS("") }
            let refused = try await place.ota(["publish", "build.ipa"] + anchor)
            #expect(refused.status == 1)
            #expect(refused.output.isEmpty)
            #expect(refused.errors.contains("\n  ✗ profile.missing"))
            #expect(refused.errors.contains("    phone “"))
            #expect(refused.errors.contains("error: the build cannot be installed on any device"))
        }
    }

    private static func day(_ count: Int) -> Date {
        Date(timeIntervalSinceNow: TimeInterval(count) * 86_400)
    }

    /// Registers a device that can install the usual build, one that is too old, and one that is in no
    /// profile.
    private func register(in place: Workplace) async throws {
        let devices = [
            [listed, "--name", "Ana", "--model", "iPhone15,2", "--os", "18.1"],
            [old, "--name", "Old", "--model", "iPhone8,1", "--os", "12.1"],
            [SampleDevices.unlisted, "--name", "Stranger"],
        ]
        for device in devices {
            _ = try await place.json(["devices", "add"] + device)
        }
    }

    private func names(_ verdicts: JSON) -> [String?] {
        verdicts["devices"].items.map(\.["name"].string)
    }

    private func blocking(_ validated: JSON) -> [String?] {
        validated["findings"].items.filter { $0["severity"].string == "blocks" }
            .map(\.["id"].string)
    }
}
