import Bundles
import Foundation
import Identifiers
import Inspection
import Sample
import Testing

/// A build compared with what a channel offers, and with other apps.
@Suite struct HistoryRuleTests {
    @Test func `a higher version of the same app is no finding`() throws {
        let before = try GoodBuild.app().report()
        for (version, build) in [
            ("1.2", "35"), ("1.10", "1"), ("2", "34"), ("1.2.0", "34.0.1"),
        ] {
            let now = try GoodBuild.app().version(version, build: build).report()
            #expect(added(to: now, after: before).isEmpty, "\(version) (\(build))")
        }
    }

    @Test(arguments: [
        ("1.2", "34"), ("1.2.0", "034"), ("1.2", "9"), ("1.1.99", "35"), ("1.2b3", "1"),
    ])
    func `a version that is not above is said`(version: String, build: String) throws {
        let before = try GoodBuild.app().report()
        let now = try GoodBuild.app().version(version, build: build).displayName("Other").report()
        let finding = try #require(alone(added(to: now, after: before)))
        #expect(finding.id == "history.version-not-above" && finding.severity == .warns)
        #expect(finding.place == "Payload/Example.app/Info.plist")
        #expect(
            finding.message
                == "\(version) (\(build)) is not higher than 1.2 (34) of the channel stable."
        )
    }

    @Test func `the same bytes again are compared with nothing`() throws {
        let report = try GoodBuild.app().report()
        #expect(added(to: report, after: report).isEmpty)
    }

    @Test func `another prefix or team needs the app to be deleted`() throws {
        let before = try GoodBuild.app().report()
        let now = try newer().editingProfile { $0.prefix = "OLDPREFIX1" }.report()
        let finding = try #require(alone(added(to: now, after: before)))
        #expect(finding.id == "history.application-identifier-changed")
        #expect(finding.severity == .warns && finding.appleCode == "0xe80000be")
        #expect(finding.message.contains("“OLDPREFIX1.com.example.app”"))
        #expect(finding.message.hasSuffix("only after the app is deleted."))
    }

    @Test func `a report from before signatures were read is compared by its profile`() throws {
        let report = try GoodBuild.app().report()
        let before = InspectionReport(
            identity: report.identity,
            profile: report.profile,
            nested: [],
            findings: [],
            inspected: report.inspected,
            installsUntil: nil,
        )
        #expect(added(to: try newer().report(), after: before).isEmpty)
        let moved = try newer().editingProfile { $0.prefix = "OLDPREFIX1" }.report()
        let ids = added(to: moved, after: before).map(\.id)
        #expect(ids == ["history.application-identifier-changed"])
    }

    @Test func `devices that the new profile leaves out are counted and not named`() throws {
        let before = try GoodBuild.app().report()
        let now = try newer().editingProfile { $0.devices.removeLast(2) }.report()
        let finding = try #require(alone(added(to: now, after: before)))
        #expect(finding.id == "history.profile-shrunk" && finding.severity == .warns)
        #expect(finding.place == "Payload/Example.app/embedded.mobileprovision")
        #expect(finding.message.hasPrefix("2 of the 3 devices that can install 1.2 (34) "))
        #expect(finding.devices == nil)
        #expect(GoodBuild.devices.allSatisfy { !finding.message.contains($0) })
        let grown = try newer().editingProfile { $0.devices.append(SampleDevices.unlisted) }
        #expect(added(to: try grown.report(), after: before).isEmpty)
    }

    @Test func `a list of devices is less than any device`() throws {
        let before = try GoodBuild.app().editingProfile {
            $0.kind = .enterprise
            $0.devices = []
        }.report()
        let finding = try #require(alone(added(to: try newer().report(), after: before)))
        #expect(finding.id == "history.profile-shrunk")
        #expect(finding.message.hasPrefix("Any device can install 1.2 (34) "))
    }

    @Test func `a raised minimum says how many devices stay behind`() throws {
        let before = try GoodBuild.app().minimumOS("15.0").report()
        let now = try newer().minimumOS("17.0").report()
        let systems = ["14.8", "15.0", "16.7.1", "17.0"]
        let devices = zip(GoodBuild.devices + [SampleDevices.unlisted], systems).map {
            DeviceFacts(udid: DeviceUDID($0), os: OSVersion($1))
        }
        let finding = try #require(alone(added(to: now, after: before, on: devices)))
        #expect(finding.id == "history.minimum-os-raised" && finding.severity == .notes)
        #expect(
            finding.message
                == "1.2 (34) of the channel stable needs iOS 15.0 and this build iOS 17.0: 2 "
                + "devices run an older version and get no update."
        )
        #expect(added(to: try newer().minimumOS("15.0").report(), after: before).isEmpty)
    }

    @Test func `an identifier of another app is said of the bundle that has it`() throws {
        let other = try GoodBuild.app("com.example.app.Widget").report()
        let now = try GoodBuild.app().nesting(.widget("Widget"), .framework("Kit")).report()
        let report = now.judged(against: PublishedHistory(offer: nil, others: [other]))
        let finding = try #require(alone(report.findings.filter { $0.id.hasPrefix("history.") }))
        #expect(finding.id == "history.identifier-taken" && finding.appleCode == "0xe80000cb")
        #expect(finding.place == "Payload/Example.app/PlugIns/Widget.appex/Info.plist")
        let same = now.judged(against: PublishedHistory(offer: nil, others: [now]))
        #expect(same == now)
    }

    @Test func `what history says is not judged again with the date`() throws {
        let before = try GoodBuild.app().report()
        let now = try GoodBuild.app().displayName("Other").report()
        let report = now.judged(against: history(before))
        let later = report.findings(at: GoodBuild.now.addingDays(300)).map(\.id)
        #expect(later.contains("history.version-not-above") && later.contains("profile.expired"))
        func message(at date: Date) throws -> String {
            let found = report.findings(at: date).first { $0.id == "history.version-not-above" }
            return try #require(found).message
        }
        #expect(try !message(at: GoodBuild.now).contains("As of"))
        let day = try #require(
            report.inspected.formatted(.iso8601.year().month().day()).split(separator: "-").last
        )
        let said = try message(at: GoodBuild.now.addingDays(3))
        let found = try #require(said.wholeMatch(of: /.* \(As of (\d+) [A-Z][a-z]+ \d{4}\.\)/))
        #expect(Int(found.1) == Int(day))
    }

    private func newer() throws -> IPABuilder { try GoodBuild.app().version("1.3", build: "35") }

    private func history(
        _ before: InspectionReport,
        _ devices: [DeviceFacts] = [],
    ) -> PublishedHistory {
        PublishedHistory(
            offer: PublishedHistory.Offer(channel: "stable", report: before),
            devices: devices,
        )
    }

    private func added(
        to report: InspectionReport,
        after before: InspectionReport,
        on devices: [DeviceFacts] = [],
    ) -> [Finding] {
        report.judged(against: history(before, devices)).findings
            .filter { !report.findings.contains($0) }
    }

    private func alone(_ findings: [Finding]) -> Finding? {
        findings.count == 1 ? findings[0] : nil
    }
}
