import Bundles
import Cryptography
import Foundation
import Inspection
import Notices
import Releases
import Store
import StoreFixtures
import TestSupport
import Testing

/// What is told, to whom, and that it is told once.
struct AnnouncementTests {
    private static let day: TimeInterval = 86_400

    // MARK: Endings

    @Test func `every threshold of a published build is told once, by processes that come and go`()
        async throws
    {
        try await NoticeDesk.run { desk in
            try desk.addWebhook()
            _ = try StoredRelease().publish(into: desk.store)
            var told: [Int] = []
            // The profile ends after 100 days; every look is one of a process that has just started.
            for _ in 0..<(110 * 4) {
                told += try desk.announced().compactMap(\.threshold)
                desk.advance(days: 0.25)
            }
            #expect(told == [30, 14, 7, 3, 1, 0])
        }
    }

    @Test func `the clock may jump by a day and by ten years, and back`() async throws {
        try await NoticeDesk.run { desk in
            try desk.addWebhook()
            _ = try StoredRelease().publish(into: desk.store)
            let end = StoredRelease().date + 100 * Self.day
            var told: [Int] = []
            for left in [50, -3650, 49, 29, 30, 28, 6.9, 7.9, 6.8, -3650, 6.7, 2, 0.9, -0.1, -4000]
            {
                desk.set(end - left * Self.day)
                told += try desk.announced().compactMap(\.threshold)
            }
            #expect(told == [0, 30, 7, 3, 1])
        }
    }

    @Test func `after a long pause only the most urgent is told`() async throws {
        try await NoticeDesk.run { desk in
            try desk.addWebhook()
            _ = try StoredRelease().publish(into: desk.store)
            desk.advance(days: 98)
            let notices = try desk.announced().filter { $0.ending != nil }
            #expect(notices.map(\.threshold) == [3])
            let notice = try #require(notices.first)
            #expect(notice.event == .expiring)
            #expect(notice.title == "The profile Profile of com.example.forks expires in 2 days")
            #expect(notice.apps.map(\.title) == ["Forks"])
            #expect(notice.link == "https://ota.example.com/admin/profiles")
            #expect(try desk.announced().isEmpty)
        }
    }

    @Test func `the first webhook learns at once what is urgent`() async throws {
        try await NoticeDesk.run { desk in
            _ = try StoredRelease().publish(into: desk.store)
            desk.advance(days: 90)
            #expect(try desk.announced().isEmpty)
            try desk.addWebhook()
            #expect(try desk.announced().compactMap(\.threshold) == [14])
        }
    }

    // MARK: What happened

    @Test func `what another process publishes and withdraws is told once`() async throws {
        try await NoticeDesk.run { desk in
            try desk.addWebhook()
            _ = try StoredRelease().publish(into: desk.store)
            // Nobody wants to be told what happened before anybody listened.
            #expect(try desk.announced().isEmpty)
            let other = try OTAStore.open(at: desk.folder.appending(path: "store").path())
            var release = StoredRelease()
            release.version = "1.2"
            release.build = "34"
            release.contents = "another IPA"
            release.date = desk.now
            _ = try release.publish(into: other)
            let notice = try #require(desk.announced().first)
            #expect(notice.event == .releasePublished)
            #expect(notice.title == "Forks 1.2 (34) is out on stable")
            #expect(notice.message == "a test published Forks 1.2 (34) on the channel stable.")
            #expect(notice.link == "https://ota.example.com/apps/forks?channel=stable")
            #expect(notice.release?.build == "34")
            try other.record(
                Activity(
                    date: desk.now,
                    actor: "ana",
                    event: .withdrawn,
                    app: "com.example.forks",
                    subject: "1.2-34",
                    detail: "it crashes",
                )
            )
            let second = try desk.announced()
            #expect(second.map(\.event) == [.releaseWithdrawn])
            #expect(
                second.first?.message.hasPrefix("ana withdrew Forks 1.2 (34): it crashes.") == true
            )
            #expect(try desk.announced().isEmpty)
        }
    }

    @Test func `what a clock wrote into another month is not passed over`() async throws {
        try await NoticeDesk.run { desk in
            try desk.addWebhook()
            _ = try desk.announced()
            var dates = [0.0, 3650, 1, 31, 2]
            var seen = 0
            while !dates.isEmpty {
                let days = dates.removeFirst()
                desk.set(StoredRelease().date + days * Self.day)
                try desk.store.record(
                    Activity(
                        date: desk.now,
                        actor: "enrolment",
                        event: .deviceEnrolled,
                        subject: "Phone \(seen)",
                    )
                )
                #expect(try desk.announced().map(\.device) == ["Phone \(seen)"])
                seen += 1
            }
        }
    }

    @Test func `a device is named by its name and never by its identifier`() async throws {
        try await NoticeDesk.run { desk in
            try desk.addWebhook()
            _ = try desk.announced()
            let udid = "00008120-000A1B2C3D4E5F67"
            try desk.store.record(
                Activity(
                    date: desk.now,
                    actor: "enrolment",
                    event: .deviceEnrolled,
                    subject: "Phone \(udid)",
                )
            )
            let waiting = try #require(
                {
                    _ = try desk.announced()
                    return try desk.store.notices().outbox.waiting.first
                }()
            )
            for kind in Webhook.Kind.allCases {
                let body = try WebhookPayload.body(of: waiting, for: kind)
                let text = String(decoding: body, as: UTF8.self)
                #expect(!text.contains(udid) && text.contains("(device)"))
            }
            // Written by this test and by no part of `ota`, it would be found after all tests.
            let journals = desk.folder.appending(path: "store/activity")
            try FileManager.default.removeItem(at: journals)
        }
    }

    // MARK: Devices

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

    /// Forks, for one device that the team does not have.
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
            expires: desk.now + 300 * Self.day,
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
            #expect(first.title == "Forks 1.0 (1) lacks 2 devices")
            #expect(first.deviceCount == 2)
            #expect(first.message.contains("Ana’s iPhone and Ben’s iPhone."))
            #expect(try desk.announced().isEmpty)
            try add(["Cleo’s iPhone"], to: desk)
            #expect(try desk.announced().map(\.deviceCount) == [3])
            let gone = try #require(desk.store.devices().devices.first)
            try desk.store.changeDevices { try $0.disable(gone.udid, at: desk.now) }
            #expect(try desk.announced().isEmpty)
            try publishLimited(into: desk, build: "2")
            #expect(try desk.announced().map(\.title) == ["Forks 1.0 (2) lacks 2 devices"])
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
                    "No iPhone slot is left",
                ]
            )
        }
    }

    // MARK: Whom

    @Test func `a webhook gets what it asked for`() async throws {
        try await NoticeDesk.run { desk in
            let forks = try StoredRelease().identifier
            let all = try desk.addWebhook("https://a.example.com/")
            let expiring = try desk.addWebhook("https://b.example.com/") { $0.events = [.expiring] }
            let own = try desk.addWebhook("https://c.example.com/") { $0.apps = [forks] }
            let other = try desk.addWebhook("https://d.example.com/") {
                $0.apps = [BundleIdentifier("com.example.other")].compactMap(\.self)
            }
            _ = try desk.announced()
            var release = StoredRelease()
            release.date = desk.now
            _ = try release.publish(into: desk.store)
            try desk.queueSomething()
            desk.advance(days: 71)
            _ = try desk.announced()
            let waiting = try desk.store.notices().outbox.waiting
            func events(_ webhook: Webhook) -> [NoticeEvent] {
                waiting.filter { $0.webhook == webhook.identifier }.map(\.notice.event)
            }
            #expect(events(all) == [.releasePublished, .deviceEnrolled, .expiring])
            #expect(events(expiring) == [.expiring])
            #expect(events(own) == [.releasePublished, .expiring])
            #expect(events(other).isEmpty)
            try desk.store.changeWebhooks { try $0.remove(all.identifier) }
            _ = try desk.announced()
            #expect(try desk.store.notices().outbox.waiting.count == 3)
        }
    }

    @Test func `a queue that nobody empties stays short`() async throws {
        try await NoticeDesk.run { desk in
            try desk.addWebhook()
            _ = try desk.announced()
            for number in 0..<(Outbox.longestQueue + 30) {
                try desk.store.record(
                    Activity(
                        date: desk.now,
                        actor: "enrolment",
                        event: .deviceEnrolled,
                        subject: "Phone \(number)",
                    )
                )
            }
            _ = try desk.announced()
            _ = try desk.announced()
            let outbox = try desk.store.notices().outbox
            #expect(outbox.waiting.count == Outbox.longestQueue)
            #expect(outbox.waiting.last?.notice.device == "Phone \(Outbox.longestQueue + 29)")
            #expect(outbox.log.count == Outbox.longestLog)
            #expect(outbox.log.allSatisfy { $0.outcome == .dropped })
        }
    }

    @Test func `nothing that a stranger named speaks Slack's language`() async throws {
        try await NoticeDesk.run { desk in
            try desk.addWebhook(kind: .slack)
            _ = try desk.announced()
            try desk.store.record(
                Activity(
                    date: desk.now,
                    actor: "enrolment",
                    event: .deviceEnrolled,
                    subject: "<!channel> <https://evil.example|tap> & *bold*\u{202E}\n",
                )
            )
            _ = try desk.announced()
            let waiting = try #require(desk.store.notices().outbox.waiting.first)
            let body = try WebhookPayload.body(of: waiting, for: .slack)
            let message = try JSONDecoder().decode([String: String].self, from: Data(body))
            let text = try #require(message["text"])
            #expect(!text.contains("<!") && !text.contains("<https://evil"))
            #expect(text.contains("&lt;!channel&gt;") && text.contains("&amp;"))
            #expect(!text.contains("*bold*") && !text.contains("\u{202E}"))
            #expect(text.hasSuffix("<https://ota.example.com/admin/devices|Open>"))
        }
    }
}

extension NoticeDesk {
    /// Lets a device enrol, which every webhook is told that asked for nothing else.
    func queueSomething() throws {
        if try store.notices() == NoticeLedger() { try service().announce() }
        try store.record(
            Activity(date: now, actor: "enrolment", event: .deviceEnrolled, subject: "A phone")
        )
        try service().announce()
    }
}
