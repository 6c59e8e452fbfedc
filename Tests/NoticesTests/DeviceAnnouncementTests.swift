import Bundles
import Foundation
import Identifiers
import Inspection
import Notices
import Releases
import Store
import StoreFixtures
import Testing

/// Devices that are missing in a build, and slots that run out, are announced once for each change.
struct DeviceAnnouncementTests {
    private func add(_ names: [String], to desk: NoticeDesk) throws {
        for (index, name) in names.enumerated() {
            let count = try desk.store.devices().devices.count
            let digits = String(repeating: "0", count: 36) + "00\(count + 10)"
            let device = Device(
                udid: try #require(DeviceUDID(String(digits.suffix(40)))),
                name: name,
                family: .iphone,
                state: .approved,
                added: desk.now + Double(index),
            )
            try desk.store.changeDevices { try $0.add(device, at: desk.now, by: "a test") }
        }
    }

    /// Publishes Forks for one device that the team does not have.
    private func publishLimited(into desk: NoticeDesk, build: String = "1") throws {
        var release = StoredRelease()
        release.build = build
        release.contents = "IPA \(build)"
        release.date = desk.now
        let base = try release.report
        let profile = ProfileSummary(
            uuid: "LIMITED",
            name: "Limited",
            type: .adHoc,
            team: "ABCDE12345",
            teamName: "Example",
            applicationIdentifier: nil,
            created: desk.now,
            expires: desk.now + 300 * 86_400,
            devices: [try #require(DeviceUDID(String(repeating: "f", count: 40)))],
            trust: .apple,
            certificates: [],
        )
        let report = InspectionReport(
            identity: base.identity,
            profile: profile,
            nested: [],
            findings: [],
            inspected: desk.now,
            installsUntil: nil,
        )
        let made = try release.release(report: report, into: desk.store)
        _ = try desk.store.publish(made, report: report)
    }

    @Test func `devices that the newest build lacks are told once for each change`() async throws {
        try await NoticeDesk.run { desk in
            try desk.addWebhook { $0.events = [.devicesMissing] }
            try publishLimited(into: desk)
            #expect(try desk.announced().isEmpty)
            try add(["Ana’s iPhone", "Ben’s iPhone"], to: desk)
            let first = try #require(desk.announced().first)
            #expect(first.title == "Forks 1.0 (1) is missing 2 devices")
            #expect(first.deviceCount == 2)
            #expect(first.message.contains("Ana’s iPhone and Ben’s iPhone."))
            #expect(try desk.announced().isEmpty)
            try add(["Cleo’s iPhone"], to: desk)
            #expect(try desk.announced().map(\.deviceCount) == [3])
            let gone = try #require(desk.store.devices().devices.first)
            try desk.store.changeDevices { try $0.disable(gone.udid, at: desk.now) }
            #expect(try desk.announced().isEmpty)
            try publishLimited(into: desk, build: "2")
            #expect(try desk.announced().map(\.title) == ["Forks 1.0 (2) is missing 2 devices"])
        }
    }

    @Test func `a dozen devices that are approved one by one are told together`() async throws {
        try await NoticeDesk.run { desk in
            try desk.addWebhook { $0.events = [.devicesMissing] }
            try publishLimited(into: desk)
            let service = desk.service(settling: 60)
            for number in 1...12 {
                try add(["Phone \(number)"], to: desk)
                try service.announce()
                desk.set(desk.now + 20)
            }
            #expect(try desk.store.notices().outbox.waiting.isEmpty)
            desk.set(desk.now + 60)
            try service.announce()
            #expect(try desk.store.notices().outbox.waiting.map(\.notice.deviceCount) == [12])
        }
    }

    @Test func `slots that run out are told at 90, 95 and 100, once each`() async throws {
        try await NoticeDesk.run { desk in
            try desk.addWebhook { $0.events = [.slotsLow] }
            var told: [String] = []
            for number in 1...100 {
                try add(["Phone \(number)"], to: desk)
                if number > 85 { told += try desk.announced().map(\.title) }
            }
            #expect(
                told == [
                    "90 of 100 iPhone slots are used", "95 of 100 iPhone slots are used",
                    "No iPhone slots left",
                ]
            )
        }
    }
}
