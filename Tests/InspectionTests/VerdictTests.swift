import Bundles
import Cryptography
import Foundation
import Inspection
import PropertyLists
import Testing

@Suite struct VerdictTests {
    private let now = TestAuthority.now

    private func device(
        _ text: String = TestProfile.devices[0],
        _ family: DeviceFamily? = .phone,
        _ os: String? = "17.4",
    ) throws -> DeviceFacts {
        DeviceFacts(
            udid: try #require(DeviceUDID(text)),
            family: family,
            os: os.flatMap { OSVersion($0) },
        )
    }

    @Test func `a listed device installs, in whatever case its identifier is written`() throws {
        let report = try TestBuild().report()
        for text in TestProfile.devices + TestProfile.devices.map({ $0.lowercased() })
            + TestProfile.devices.map({ $0.uppercased() })
        {
            #expect(report.verdict(for: try device(text), at: now).verdict == .installs)
        }
    }

    @Test func `a device that the profile does not list is blocked for that reason alone`() throws {
        let stranger = try device("00008110-000A00000000FFFF")
        let verdict = try TestBuild().report().verdict(for: stranger, at: now)
        #expect(verdict.verdict == .blocked)
        #expect(verdict.reasons.map(\.id) == ["device.not-in-profile"])
        #expect(verdict.reasons.first?.appleCode == "0xe8008012")
        #expect(verdict.reasons.first?.devices == [stranger.udid])
    }

    @Test func `an iPad runs an iPhone app and an iPhone does not run an iPad app`() throws {
        func verdict(_ families: [Int64], _ family: DeviceFamily) throws -> [String] {
            let build = try TestBuild {
                $0.set("UIDeviceFamily", .array(families.map(PropertyList.integer)))
            }
            return try build.report().verdict(
                for: device(TestProfile.devices[0], family),
                at: now,
            )
            .reasons.map(\.id)
        }
        #expect(try verdict([1], .pad) == [])
        #expect(try verdict([2], .phone) == ["device.family-unsupported"])
        #expect(try verdict([3], .phone) == ["device.family-unsupported"])
        #expect(try verdict([], .phone) == [])
    }

    @Test(arguments: [("14.8.1", false), ("15.0", true), ("15", true), ("26.1", true)])
    func `the minimum version decides`(os: String, installs: Bool) throws {
        let verdict = try TestBuild().report().verdict(
            for: device(TestProfile.devices[0], .phone, os),
            at: now,
        )
        #expect((verdict.verdict == .installs) == installs)
        #expect(verdict.reasons.map(\.id) == (installs ? [] : ["device.os-too-old"]))
    }

    @Test func `what nobody told about a device is said`() throws {
        let build = try TestBuild { $0.set("UIDeviceFamily", .array([.integer(2)])) }
        let verdict = try build.report().verdict(
            for: device(TestProfile.devices[0], nil, nil),
            at: now,
        )
        #expect(verdict.verdict == .installs)
        let ids = Set(verdict.findings.map(\.id))
        #expect(ids.isSuperset(of: ["device.family-unknown", "device.os-unknown"]))
    }

    @Test func `without a device only the list is left to decide`() throws {
        #expect(try TestBuild().report().verdict(at: now).verdict == .unknown)
        let enterprise = try TestBuild {
            $0.profile?.content["ProvisionedDevices"] = nil
            $0.profile?.content["ProvisionsAllDevices"] = .boolean(true)
        }
        #expect(try enterprise.report().verdict(at: now).verdict == .installs)
        #expect(
            try enterprise.report().verdict(for: device("00008110-000A00000000FFFF"), at: now)
                .verdict == .installs
        )
        let store = try TestBuild { $0.profile?.content["ProvisionedDevices"] = nil }
        #expect(try store.report().verdict(at: now).verdict == .blocked)
    }

    @Test func `a report is judged again at any date`() throws {
        let report = try TestBuild().report()
        let end = now.addingTimeInterval(.days(200))
        #expect(report.installsUntil == end)
        func ids(_ date: Date) -> Set<String> {
            Set(report.verdict(at: date).findings.map(\.id)).subtracting(TestBuild.usual)
        }
        #expect(ids(now) == [])
        #expect(
            ids(end.addingTimeInterval(.days(-10)))
                == ["profile.expires-soon", "certificate.expires-soon"]
        )
        #expect(ids(end) == ["profile.expired", "certificate.expired"])
        #expect(ids(now.addingTimeInterval(.days(-300))) == ["profile.not-yet-valid"])
        #expect(report.verdict(at: end).verdict == .blocked)
        #expect(report.verdict(for: try device(), at: end).verdict == .blocked)
        let late = try TestBuild().report(at: end)
        #expect(late.verdict(at: now).verdict == .unknown)
    }

    @Test func `the earliest end counts, of nested profiles and of certificates too`() throws {
        let soon = now.addingTimeInterval(.days(50))
        let widget = try TestBuild {
            try $0.nest(.widget()) { $0.profile?.content["ExpirationDate"] = .date(soon) }
        }
        #expect(try widget.report().installsUntil == soon)
        let certificate = try TestProfile.certificate("Short", until: soon)
        let build = try TestBuild {
            $0.profile?.content["DeveloperCertificates"] = .array([.data(certificate.der)])
        }
        let report = try build.report()
        #expect(report.installsUntil == soon)
        #expect(report.expiries.first?.cause == .certificate(name: "Short"))
    }

    @Test func `a device in the app's profile only is blocked by the widget's`() throws {
        let build = try TestBuild {
            try $0.nest(.widget()) {
                $0.profile?.content["ProvisionedDevices"] = .array([
                    .string(TestProfile.devices[0])
                ])
            }
        }
        let report = try build.report()
        #expect(report.verdict(at: now).verdict == .unknown)
        #expect(
            report.verdict(for: try device(TestProfile.devices[0]), at: now).verdict == .installs
        )
        let other = report.verdict(for: try device(TestProfile.devices[1]), at: now)
        #expect(other.reasons.map(\.id) == ["device.not-in-nested-profile"])
        let message = try #require(
            report.findings.first { $0.id == "device.not-in-nested-profile" }
        )
        #expect(message.message.contains("2 of the 3 devices"))
    }

    @Test func `a widget whose profile shares no device with the app's blocks everywhere`() throws {
        let build = try TestBuild {
            try $0.nest(.widget()) {
                $0.profile?.content["ProvisionedDevices"] = .array([
                    .string("00008110-000A00000000FFFF")
                ])
            }
        }
        let report = try build.report()
        #expect(report.verdict(at: now).verdict == .blocked)
        let verdict = report.verdict(for: try device(), at: now)
        #expect(verdict.reasons.map(\.id) == ["device.not-in-nested-profile"])
    }
}
