import Bundles
import Cryptography
import Foundation
import Identifiers
import Inspection
import PropertyLists
import Sample
import Testing

@Suite struct VerdictTests {
    private let now = GoodBuild.now

    private func device(
        _ text: String = GoodBuild.devices[0],
        _ family: DeviceFamily? = .phone,
        _ os: String? = "17.4",
    ) throws -> DeviceFacts {
        DeviceFacts(
            udid: DeviceUDID(text),
            family: family,
            os: os.flatMap { OSVersion($0) },
        )
    }

    /// The report on an app for all of ``GoodBuild/devices``, with a widget for these devices only.
    private func widgetReport(for devices: [String]) throws -> InspectionReport {
        try GoodBuild.app().nesting(.widget("Widget")) {
            $0.profile = GoodBuild.profile()
            $0.profile?.devices = devices
        }.report()
    }

    @Test func `a listed device installs, in whatever case its identifier is written`() throws {
        let report = try GoodBuild.report.get()
        for text in GoodBuild.devices + GoodBuild.devices.map({ $0.lowercased() })
            + GoodBuild.devices.map({ $0.uppercased() })
        {
            #expect(report.verdict(for: try device(text), at: now).verdict == .installs)
        }
    }

    @Test func `a device that the profile does not list is blocked for that reason alone`() throws {
        let stranger = try device("00008110-000A00000000FFFF")
        let verdict = try GoodBuild.report.get().verdict(for: stranger, at: now)
        #expect(verdict.verdict == .blocked)
        #expect(verdict.reasons.map(\.id) == ["device.not-in-profile"])
        #expect(verdict.reasons.first?.appleCode == "0xe8008012")
        #expect(verdict.reasons.first?.devices == stranger.udid.map { [$0] })
    }

    @Test(arguments: [
        ([1], DeviceFamily.pad, []), ([2], .phone, ["device.family-unsupported"]),
        ([3], .phone, ["device.family-unsupported"]), ([], .phone, []),
    ])
    func `an iPad runs an iPhone app and an iPhone does not run an iPad app`(
        families: [Int64],
        family: DeviceFamily,
        reasons: [String],
    ) throws {
        let build = try GoodBuild.app()
            .info("UIDeviceFamily", .array(families.map(PropertyList.integer)))
        let verdict = try build.report().verdict(
            for: device(GoodBuild.devices[0], family),
            at: now,
        )
        #expect(verdict.reasons.map(\.id) == reasons)
    }

    @Test(arguments: [("14.8.1", false), ("15.0", true), ("15", true), ("26.1", true)])
    func `the minimum version decides`(os: String, installs: Bool) throws {
        let verdict = try GoodBuild.report.get().verdict(
            for: device(GoodBuild.devices[0], .phone, os),
            at: now,
        )
        #expect((verdict.verdict == .installs) == installs)
        #expect(verdict.reasons.map(\.id) == (installs ? [] : ["device.os-too-old"]))
    }

    @Test func `what nobody told about a device is said`() throws {
        let build = try GoodBuild.app().info("UIDeviceFamily", .array([.integer(2)]))
        let verdict = try build.report().verdict(
            for: device(GoodBuild.devices[0], nil, nil),
            at: now,
        )
        #expect(verdict.verdict == .installs)
        let ids = Set(verdict.findings.map(\.id))
        #expect(ids.isSuperset(of: ["device.family-unknown", "device.os-unknown"]))
    }

    @Test func `without a device only the list is left to decide`() throws {
        #expect(try GoodBuild.report.get().verdict(at: now).verdict == .unknown)
        let enterprise = try GoodBuild.app().editingProfile { $0.kind = .enterprise }.report()
        #expect(enterprise.verdict(at: now).verdict == .installs)
        let stranger = try device("00008110-000A00000000FFFF")
        #expect(enterprise.verdict(for: stranger, at: now).verdict == .installs)
        let store = try GoodBuild.app().editingProfile { $0.kind = .appStore }.report()
        #expect(store.verdict(at: now).verdict == .blocked)
    }

    @Test func `a report is judged again at any date`() throws {
        let end = now.addingDays(200)
        let build = try GoodBuild.app().signed(until: end)
        let report = try build.report()
        #expect(report.installsUntil == end)
        func ids(_ date: Date) -> Set<String> {
            Set(report.verdict(at: date).findings.map(\.id)).subtracting(GoodBuild.usual)
        }
        #expect(ids(now) == [])
        #expect(ids(end.addingDays(-10)) == ["profile.expires-soon", "certificate.expires-soon"])
        #expect(ids(end.addingTimeInterval(1)) == ["profile.expired", "certificate.expired"])
        #expect(
            ids(now.addingDays(-300)) == ["profile.not-yet-valid", "certificate.not-yet-valid"]
        )
        #expect(report.verdict(at: end).verdict == .blocked)
        #expect(report.verdict(for: try device(), at: end).verdict == .blocked)
        #expect(try build.report(at: end).verdict(at: now).verdict == .unknown)
    }

    @Test func `a device in the app's profile only is blocked by the widget's`() throws {
        let report = try widgetReport(for: [GoodBuild.devices[0]])
        #expect(report.verdict(at: now).verdict == .unknown)
        #expect(report.verdict(for: try device(), at: now).verdict == .installs)
        let other = report.verdict(for: try device(GoodBuild.devices[1]), at: now)
        #expect(other.reasons.map(\.id) == ["device.not-in-nested-profile"])
        let message = try #require(
            report.findings.first { $0.id == "device.not-in-nested-profile" }
        )
        #expect(message.message.contains("2 of the 3 devices"))
    }

    @Test func `a widget whose profile shares no device with the app's blocks everywhere`() throws {
        let report = try widgetReport(for: ["00008110-000A00000000FFFF"])
        #expect(report.verdict(at: now).verdict == .blocked)
        let verdict = report.verdict(for: try device(), at: now)
        #expect(verdict.reasons.map(\.id) == ["device.not-in-nested-profile"])
    }

    @Test func `what only newer versions refuse blocks those, and before is no finding`() throws {
        let finding = Finding(
            id: "code.example",
            severity: .warns,
            place: "Payload/Example.app/Example",
            message: "Example.",
            fix: "Example.",
            blocksFrom: OSVersion(major: 16),
        )
        let good = try GoodBuild.report.get()
        let report = InspectionReport(
            identity: good.identity,
            profile: good.profile,
            signature: good.signature,
            nested: [],
            findings: good.findings + [finding],
            inspected: now,
            installsUntil: nil,
        )
        func verdict(_ os: String?) throws -> DeviceVerdict {
            report.verdict(for: try device(GoodBuild.devices[0], .phone, os), at: now)
        }
        #expect(report.verdict(at: now).verdict == .unknown)
        #expect(try verdict("16.0").reasons.map(\.id) == ["code.example"])
        #expect(try verdict("26.1").verdict == .blocked)
        #expect(try verdict("15.8").findings.map(\.id).contains("code.example") == false)
        #expect(try verdict(nil).verdict == .installs)
        #expect(try verdict(nil).findings.contains(finding))
    }
}
