import Foundation
import Sample
import TestSupport
import Testing

/// Findings as text, for GitHub and as JUnit, with names that try to escape from each format.
@Suite(.timeLimit(.minutes(10)))
struct FindingFormatTests {
    private let anchor = ["--trusted-ca", "anchor.pem"]
    /// A combining mark after a character merges with it; the first character alone is special.
    private let hostile = "<\u{338}b>&\u{301}\"\u{301} %0A::error,:\u{301}\u{FFFF} ]]>"

    @Test func `JUnit stays well formed and has a case per device`() async throws {
        try await Workplace.run { place in
            try place.build()
            _ = try await place.json("devices", "add", SampleDevices.unlisted, "--name", hostile)
            _ = try await place.json("devices", "add", SampleDevices.one, "--name", "Ana")
            let name = "a\"<&\n.ipa"
            try place.write("no archive", to: name)
            let text = try await place.ota("validate", name, "--format", "junit")
            #expect(TestReport(text.output).isWellFormed, "\(text.output)")
            #expect(text.status == 1)

            let report = try await place.ota(
                ["validate", "build.ipa", "--all-devices", "--format", "junit"] + anchor
            )
            let read = TestReport(report.output)
            #expect(read.isWellFormed, "\(report.output)")
            #expect(read.counts["tests"] == "\(read.cases.count)")
            #expect(read.counts["failures"] == "\(read.cases.count { $0.failure != nil })")
            let devices = read.cases.filter { $0.classname == "ota.devices" }
            #expect(devices.count == 2)
            #expect(devices.map(\.name) == ["device 1 of 2 (iPhone)", "device 2 of 2 (iPhone)"])
            Self.expectNobodyNamed(in: report.output, hostile)
            #expect(devices[0].failure?.hasPrefix("The device is not among") == true)
            for part in ["0xe8008012", "integrity could not be verified", "Fix: Register"] {
                #expect(devices[0].text.contains(part))
            }
            #expect(devices[1].failure == nil)
        }
    }

    @Test func `GitHub gets one command per line, each escaped`() async throws {
        try await Workplace.run { place in
            let name = "a,b:%0A.ipa"
            try place.build { $0.withoutProfile() }
            try FileManager.default.copyItem(
                at: place.folder.appending(path: "build.ipa"),
                to: place.folder.appending(path: name),
            )
            _ = try await place.json("devices", "add", SampleDevices.unlisted, "--name", hostile)
            let outcome = try await place.ota(
                ["validate", name, "--all-devices", "--format", "github"] + anchor
            )
            #expect(outcome.status == 1)
            let lines = outcome.output.split(separator: "\n")
            for line in lines {
                let command = try #require(
                    line.wholeMatch(
                        of: /::(error|warning|notice) file=([^,:]*),title=([^,:]*)::(.*)/
                    )
                )
                #expect(command.2 == "a%2Cb%3A%250A.ipa")
                for escape in line.unicodeScalars.split(separator: "%").dropFirst() {
                    #expect(["25", "0A", "2C", "3A"].contains(String(escape.prefix(2))))
                }
            }
            let finding = try #require(lines.first { $0.contains("title=profile.missing::") })
            for part in ["%0AAt: Payload/", "%0AOn the phone: “", "%0AFix: "] {
                #expect(finding.contains(part), "\(finding)")
            }
            #expect(lines.contains { $0.hasSuffix("::0 of 1 device can install it.") })
            #expect(outcome.output.contains("title=device 1 of 1 (iPhone) cannot install it::"))
            Self.expectNobodyNamed(in: outcome.output, hostile)
        }
    }

    /// CI logs are often public, so they must not name anyone.
    private static func expectNobodyNamed(in text: String, _ name: String) {
        for word in [SampleDevices.one, SampleDevices.unlisted, "Ana", "\u{338}b", name] {
            #expect(!text.contains(word))
        }
    }

    @Test func `whom a device belongs to is told only to whoever asks for names`() async throws {
        try await Workplace.run { place in
            try place.build()
            let udid = SampleDevices.one
            _ = try await place.json("devices", "add", udid, "--name", "Ana's iPhone")
            let base = ["validate", "build.ipa", "--all-devices"] + anchor
            for format in ["github", "junit"] {
                for more in [[], ["--udids"], ["--device", udid]] {
                    let words =
                        more.first == "--device" ? base.filter { $0 != "--all-devices" } : base
                    let text = try await place.ota(words + more + ["--format", format]).output
                    #expect(!text.contains("Ana") && !text.contains(udid), "\(format) \(more)")
                }
            }
            let named = try await place.json(base)
            #expect(named["devices"].items.first?["name"].string == "Ana's iPhone")
            #expect(named["devices"].items.first?["udid"] == .null)
            let asked = try await place.json(base + ["--udids"])
            #expect(asked["devices"].items.first?["udid"].string == udid)
        }
    }

    @Test func `text names each place once, and advice once per rule`() async throws {
        try await Workplace.run { place in
            try SampleApps.forks(by: place.authority, at: Date()).editing { $0.app.hasIcon = false }
                .afterSigning { tree in
                    for number in 0..<4 { tree.add(.text("more-\(number).txt", "")) }
                }
                .build(to: place.path("forks.ipa"))
            let text = try await place.ota("validate", "forks.ipa", "--trusted-ca", "anchor.pem")
                .output
            let lines = text.split(separator: "\n").map(String.init)
            let places = lines.filter { $0.hasPrefix("Payload/") }
            #expect(places.count > 3)
            #expect(Set(places).count == places.count)
            #expect(lines.count { $0.contains(" seal.added") } == 4)
            #expect(lines.count { $0.contains("fix   Remove the file") } == 1)
            // The same finding in several bundles is shown once.
            #expect(lines.count { $0.hasPrefix("  ! profile.private-authority") } == 1)
        }
    }

    @Test func `JSON says what the phone shows for what blocks`() async throws {
        try await Workplace.run { place in
            try place.build { $0.withoutProfile() }
            let report = try await place.json(["validate", "build.ipa"] + anchor, status: 1)
            for finding in report["findings"].items {
                #expect(finding.keys.isSuperset(of: ["phone", "blocksFrom", "devices"]))
            }
            let missing = try #require(
                report["findings"].items.first { $0["id"].string == "profile.missing" }
            )
            #expect(missing["phone"].string?.contains("integrity could not be verified") == true)
        }
    }
}
