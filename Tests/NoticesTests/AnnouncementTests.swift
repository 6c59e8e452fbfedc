import Foundation
import Identifiers
import Notices
import Releases
import Store
import StoreFixtures
import Testing

/// What is announced, and that it is announced once.
struct AnnouncementTests {
    private static let day: TimeInterval = 86_400

    // MARK: Several servers

    @Test
    func `a server that has not heard of a release yet tells what was published all the same`()
        async throws
    {
        try await NoticeDesk.run { desk in
            try desk.addWebhook()
            let late = OTAStore(backend: LateBackend(desk.store.backend))
            let service = desk.service(on: late)
            try service.announce()
            _ = try StoredRelease().publish(into: desk.store)
            try service.announce()
            let told = try desk.store.notices().outbox.waiting.map(\.notice)
                .filter { $0.event == .releasePublished }
            #expect(told.map { $0.release?.version } == [StoredRelease().version])
        }
    }

    @Test func `a server that told nobody begins where another one has got to meanwhile`()
        async throws
    {
        try await NoticeDesk.run { desk in
            let first = desk.service(on: OTAStore(backend: LateBackend(desk.store.backend)))
            func happens(_ subject: String) throws {
                let event = Activity.Event.deviceEnrolled
                try desk.store.record(
                    Activity(date: desk.now, actor: "enrolment", event: event, subject: subject)
                )
            }
            try first.announce()
            try happens("one")
            // Without a webhook, it is noted only in memory.
            try first.announce()
            try desk.addWebhook()
            try happens("two")
            try desk.service().announce()
            let told = try desk.store.notices().outbox.waiting.count
            try first.announce()
            #expect(try desk.store.notices().outbox.waiting.count == told)
        }
    }

    /// A remote store in which this server sees no release until it refreshes.
    private struct LateBackend: ForwardingBackend {
        let inner: any Backend
        var isElsewhere: Bool { true }

        init(_ inner: any Backend) {
            self.inner = inner
        }

        func knownStamp(of name: DocumentName) throws(StoreFailure) -> ChangeStamp? {
            name.path.contains("/releases/") ? nil : try inner.knownStamp(of: name)
        }
    }

    // MARK: Limits

    @Test func `a webhook gets the builds of its channels and groups alone`() async throws {
        try await NoticeDesk.run { desk in
            let (qa, dev) = try (#require(GroupName("qa")), #require(GroupName("dev")))
            let (beta, pr) = try (#require(ChannelName("beta")), #require(ChannelName("pr-1")))
            let limits: [(name: String, channels: [ChannelName]?, groups: [GroupName]?)] = [
                ("all", nil, nil), ("beta", [beta], nil), ("qa", nil, [qa]), ("dev", nil, [dev]),
                ("both", [beta, pr], [qa]), ("neither", [.stable], [dev]),
            ]
            var names: [String: String] = [:]
            for limit in limits {
                let webhook = try desk.addWebhook("https://hooks.example.com/\(limit.name)") {
                    $0.channels = limit.channels
                    $0.groups = limit.groups
                }
                names[webhook.identifier] = limit.name
            }
            var release = StoredRelease()
            _ = try release.publish(into: desk.store)
            let access = try #require(AppRecord.Access("groups:qa"))
            try desk.store.changeApp(try release.identifier) {
                $0.access = access
                try $0.open(pr, to: .groups(#require(GroupNames("dev"))))
            }
            try desk.service().announce()
            func receivers(of channel: ChannelName, _ build: String) throws -> Set<String> {
                release.build = build
                release.channel = channel
                release.contents = build
                let before = try desk.store.notices().outbox.waiting.count
                _ = try release.publish(into: desk.store)
                try desk.service().announce()
                let waiting = try desk.store.notices().outbox.waiting.dropFirst(before)
                return Set(
                    waiting.filter { $0.notice.event == .releasePublished }
                        .compactMap { names[$0.webhook] }
                )
            }
            #expect(try receivers(of: beta, "2") == ["all", "beta", "qa", "both"])
            #expect(try receivers(of: .stable, "3") == ["all", "qa"])
            #expect(try receivers(of: pr, "4") == ["all", "dev"])
            // Notices that are about no build go only to the webhook without filters.
            let queued = try desk.store.notices().outbox.waiting.count
            try desk.queueSomething()
            let last = try desk.store.notices().outbox.waiting.dropFirst(queued)
            #expect(last.compactMap { names[$0.webhook] } == ["all"])
            #expect(throws: WebhookRefusal.neverSent([.slotsLow])) {
                try desk.addWebhook("https://hooks.example.com/never") {
                    $0.events = [.slotsLow]
                    $0.groups = [qa]
                }
            }
        }
    }

    // MARK: Endings

    @Test func `every threshold of a published build is told once, by processes that come and go`()
        async throws
    {
        try await NoticeDesk.run { desk in
            try desk.addWebhook()
            _ = try StoredRelease().publish(into: desk.store)
            var told: [Int] = []
            // The profile expires after 100 days; every check runs in a process that has just started.
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
            // What was announced by a clock ten years ahead is announced again on its real day.
            #expect(told == [0, 30, 7, 3, 1, 0])
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
            // Events from before the first webhook are not announced.
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
            #expect(notice.title == "Forks 1.2 (34) was published on stable")
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

    @Test func `what a tester says and what rules remove is told once`() async throws {
        try await NoticeDesk.run { desk in
            try desk.addWebhook()
            let app = try StoredRelease().publish(into: desk.store).release.bundleIdentifier
            #expect(try desk.announced().isEmpty)
            let build = ReleaseIdentifier(version: "1.0", build: "1")
            let said = Feedback(
                identifier: "0123456789abcdef",
                date: desk.now,
                text: "It crashes\non start.",
                release: build,
                sender: Feedback.Sender(name: "Ana’s iPhone", model: nil, os: "18.1"),
                device: nil,
            )
            #expect(try desk.store.add(said, of: app))
            var removed = Activity(
                date: desk.now,
                actor: "ota",
                event: .rulesApplied,
                app: app.rawValue,
                subject: "2 releases",
            )
            let gone = (1...2).map { ReleaseIdentifier(version: "0.\($0)", build: "1") }
            removed.removed = RemovedReleases(gone, freed: 4_000_000)
            try desk.store.record(removed)
            let told = try desk.announced()
            #expect(told.map(\.event) == [.feedbackReceived, .releasesRemoved])
            #expect(told.first?.title == "Feedback about Forks 1.0 (1)")
            #expect(
                told.first?.message
                    == "Ana’s iPhone, iOS 18.1, on Forks 1.0 (1):\nIt crashes\non start."
            )
            #expect(told.first?.feedback?.text == said.text)
            // Deleted feedback is no longer sent, and leaves no copy.
            _ = try desk.store.deleteFeedback(said.identifier, of: app, by: "ada", at: desk.now)
            try desk.store.forgetNotices(ofFeedback: said.identifier)
            #expect(
                try desk.store.notices().outbox.waiting.map(\.notice.event) == [.releasesRemoved]
            )
            let files = try FileManager.default.contentsOfDirectory(
                atPath: desk.folder.appending(path: "store").path()
            )
            for file in files where file.hasPrefix("notices.json") {
                let text = try String(
                    contentsOf: desk.folder.appending(path: "store/\(file)"),
                    encoding: .utf8,
                )
                #expect(!text.contains("crashes"), "\(file)")
            }
            #expect(told.last?.title == "2 releases of Forks were removed")
            #expect(
                told.last?.message
                    == "ota removed 2 releases of Forks by the app’s rules, which frees "
                    + "\(Wording.size(4_000_000)): 0.1-1, 0.2-1."
            )
            #expect(told.last?.removed?.freed == 4_000_000)
            #expect(try desk.announced().isEmpty)
        }
    }

    @Test func `a build that failed is told with the first errors of its log`() async throws {
        try await NoticeDesk.run { desk in
            try desk.addWebhook()
            #expect(try desk.announced().isEmpty)
            let mirror = try #require(Slug("browsey"))
            var ended = Activity(
                date: desk.now,
                actor: "mirror browsey",
                event: .buildEnded,
                subject: "browsey v1.2.0",
                detail: "succeeded",
            )
            try desk.store.record(ended)
            ended.failedBuild = FailedBuild(
                7,
                of: mirror,
                subject: "v1.2.0",
                reason: "step “Archive” exited with status 65",
                issues: (1...6).map {
                    BuildIssue(.compile, file: "App.swift", line: $0, message: "wrong")
                },
            )
            try desk.store.record(ended)
            let notices = try desk.announced()
            #expect(notices.map(\.event) == [.buildFailed])
            let notice = try #require(notices.first)
            #expect(notice.title == "Build 7 of browsey, v1.2.0, failed")
            #expect(
                notice.message == """
                    The build failed: step “Archive” exited with status 65.
                    - App.swift:1: wrong
                    - App.swift:2: wrong
                    - App.swift:3: wrong
                    - and more, on the build's page
                    """
            )
            let page = "https://ota.example.com/admin/mirrors/browsey/builds/7"
            #expect(notice.link == page)
            #expect(notice.failedBuild?.issues.count == FailedBuild.mostIssues)
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
}
