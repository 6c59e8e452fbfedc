import APIDocuments
import Access
import Foundation
import Identifiers
import Publishing
import Releases
import Store
import TestSupport
import Testing

/// Channels that end, as testers, admins and API clients see them.
@Suite(.timeLimit(.minutes(10)))
struct ServedChannelTests {
    private static let page = "/apps/demo-co?channel=pr-12"
    private static let admin = "/admin/apps/demo-co"
    private static let end = "/apps/demo-co/channels/pr-12/end"

    private static func pull() throws -> ChannelName { try #require(ChannelName("pr-12")) }

    /// Publishes a build on the channel of the pull request.
    @discardableResult
    private static func publish(
        _ number: Int,
        on site: TestSite,
        until seconds: TimeInterval? = nil,
    ) throws -> Release {
        let release = try TestSite.publish(
            Array("pull request, build \(number)".utf8),
            into: site.store,
            version: "1.3.0",
            build: "\(number)",
            channel: pull(),
            until: seconds.map { Date(timeIntervalSinceNow: $0) },
        )
        site.settle()
        return release
    }

    private static func record(_ site: TestSite) throws -> AppRecord {
        try #require(try site.store.app(site.release.bundleIdentifier, isCurrent: true))
    }

    private static func isWithdrawn(_ release: Release, on site: TestSite) throws -> Bool {
        try #require(
            try site.store.release(release.identifier, of: release.bundleIdentifier)
        ).withdrawal != nil
    }

    /// Checks that all links to a build of the channel are gone, and that the other channel is still there.
    private static func expectEnded(_ path: InstallPath, on site: TestSite) async throws {
        let gone = try await WireClient.get(site, page)
        #expect(gone.status == 410)
        #expect(gone.text.contains("This channel has ended"))
        #expect(gone.text.contains("The channel pr-12 ended on "))
        #expect(gone.text.contains("/apps/demo-co\""), "the way to the others")
        #expect(!gone.text.contains("itms-services"))
        for file in [path.folder + "/manifest.plist", path.folder + "/icon-57.png", path.archive] {
            #expect(try await WireClient.get(site, file).status == 410, "\(file)")
        }
        let code = try await WireClient.get(site, "/apps/demo-co/qr.svg?channel=pr-12")
        #expect(code.status == 404)
        let other = try await InstallPath.follow(site)
        #expect(try await WireClient.get(site, other.archive).body == site.archive)
    }

    @Test func `after the end no old link installs, and the page leads to the other channels`()
        async throws
    {
        try await TestSite.run { site in
            let first = try Self.publish(35, on: site, until: 3600)
            let old = try await InstallPath.follow(site, page: Self.page)
            let second = try Self.publish(36, on: site)
            let new = try await InstallPath.follow(site, page: Self.page)
            #expect(old.archive != new.archive)
            #expect(try await WireClient.get(site, old.archive).status == 200)

            let api = try APIClient.holding("publish:demo-co", on: site)
            let answer = try await api.post(Self.end)
            let document = try answer.document(EndedChannelDocument.self)
            #expect(answer.status == 200 && document.changed)
            #expect(Set(document.withdrawn) == ["1.3.0-35", "1.3.0-36"])
            site.settle()
            for path in [old, new] { try await Self.expectEnded(path, on: site) }
            for release in [first, second] {
                let page = "/apps/demo-co/\(release.identifier)"
                #expect(try await WireClient.get(site, page).status == 410)
            }

            // The pull request is reopened: the newest build is back, but not the older one.
            try Self.publish(36, on: site, until: 3600)
            let again = try await InstallPath.follow(site, page: Self.page)
            #expect(try await WireClient.get(site, again.archive).status == 200)
            #expect(try await WireClient.get(site, old.archive).status == 410)
        }
    }

    @Test func `what another channel offers is installed after the end too`() async throws {
        try await TestSite.run { site in
            let release = try Self.publish(35, on: site, until: 3600)
            let beta = try #require(ChannelName("beta"))
            let app = release.bundleIdentifier
            try site.store.promote(release.identifier, of: app, to: beta, by: "ada", at: Date())
            site.settle()
            let api = try APIClient.holding("publish", on: site)
            let document = try await api.post(Self.end).document(EndedChannelDocument.self)
            #expect(document.changed && document.withdrawn.isEmpty)
            site.settle()
            #expect(try await WireClient.get(site, Self.page).status == 410)
            let path = try await InstallPath.follow(site, page: "/apps/demo-co?channel=beta")
            #expect(try await WireClient.get(site, path.archive).status == 200)
        }
    }

    @Test func `a clock that jumps ends a channel at once, and one that goes back brings none`()
        async throws
    {
        try await TestSite.run { site in
            let release = try Self.publish(35, on: site, until: 600)
            let path = try await InstallPath.follow(site, page: Self.page)
            site.clock.advance(by: 700)
            site.settle()
            try await Self.expectEnded(path, on: site)
            // Afterwards the server ends the channel permanently by itself.
            while try Self.record(site).ended(Self.pull()) == nil
                || (try !Self.isWithdrawn(release, on: site))
            {
                try await Task.sleep(for: .milliseconds(50))
            }
            let told = try site.store.activity(count: 9).filter { $0.event == .channelEnded }
            #expect(told.map(\.actor) == [ChannelCloser.server])
            site.clock.advance(by: -700)
            site.settle()
            try await Self.expectEnded(path, on: site)
        }
    }

    @Test func `a later publish with an end moves it`() async throws {
        try await TestSite.run { site in
            try Self.publish(35, on: site, until: 600)
            try Self.publish(36, on: site, until: 3000)
            site.clock.advance(by: 700)
            site.settle()
            let path = try await InstallPath.follow(site, page: Self.page)
            #expect(try await WireClient.get(site, path.archive).status == 200)
            let api = try APIClient.holding("read:demo-co", on: site)
            let listed = try await api.get("/apps/demo-co/channels").document(ChannelsDocument.self)
            #expect(listed.channels.map(\.channel) == ["pr-12", "stable"])
            #expect(listed.channels.map { $0.ends != nil } == [true, false])
            // The same build again, which is not a new release.
            try Self.publish(36, on: site, until: 650)
            try await Self.expectEnded(path, on: site)
        }
    }

    @Test func `who can publish an app ends its channels, but not the default one`() async throws {
        try await TestSite.run { site in
            try Self.publish(35, on: site, until: 3600)
            let own = try APIClient.holding("publish:demo-co", on: site)
            let reader = try APIClient.holding("read", on: site)
            let other = try APIClient.holding("publish:com.example.other", on: site)
            #expect(try await APIClient(site: site, secret: nil).post(Self.end).status == 401)
            for client in [reader, other] {
                let status = try await client.post(Self.end).status
                #expect(status == 403 || status == 404, "\(status)")
            }
            #expect(try Self.record(site).channels[Self.pull()] != nil)

            let stable = try await own.post("/apps/demo-co/channels/stable/end")
            #expect(stable.status == 409 && stable.refusal == "channel.lasting")
            #expect(try await own.post("/apps/demo-co/channels/PR%2012/end").status == 404)
            let never = try await own.post("/apps/demo-co/channels/pr-77/end")
            let nothing = try never.document(EndedChannelDocument.self)
            #expect(!nothing.changed && nothing.ended == nil && nothing.withdrawn.isEmpty)

            let first = try await own.post(Self.end).document(EndedChannelDocument.self)
            let second = try await own.post(Self.end).document(EndedChannelDocument.self)
            #expect(first.changed && !second.changed && second.ended == first.ended)
            let listed = try await reader.get("/apps/demo-co/channels")
                .document(ChannelsDocument.self)
            #expect(listed.channels.map(\.channel) == ["stable"])
            #expect(listed.ended.map(\.channel) == ["pr-12"])
            let events = try site.store.activity(count: 9).filter { $0.event == .channelEnded }
            #expect(events.count == 1)
            let link = try await reader.get("/apps/demo-co/link?channel=pr-12")
            #expect(link.status == 410 && link.refusal == "channel.ended")
        }
    }

    @Test func `an admin ends a channel on the page of its app`() async throws {
        try await TestSite.run { site in
            let release = try Self.publish(35, on: site, until: 3600)
            let path = Self.admin + "/channels/pr-12/end"
            let reader = try await AdminClient.admin(site, Scope(.read))
            #expect(try await !reader.get(Self.admin).text.contains("/channels/pr-12/end"))
            #expect(try await reader.send(path).status == 403)
            #expect(try !Self.isWithdrawn(release, on: site))

            let admin = try await AdminClient.admin(site)
            let page = try await admin.get(Self.admin).text
            #expect(page.contains(path) && !page.contains("/channels/stable/end"))
            let asked = try await admin.get(path)
            #expect(asked.status == 200 && asked.text.contains("End the channel pr-12 of Demo"))
            #expect(try await admin.get(Self.admin + "/channels/pr-77/end").status == 404)
            #expect(try await admin.get(Self.admin + "/channels/stable/end").status == 409)
            #expect(try await admin.post(path, [:]).status >= 400, "a form of another site")
            #expect(try !Self.isWithdrawn(release, on: site))

            let ended = try await admin.send(path)
            #expect(try await admin.flash(by: ended).contains("Channel ended."))
            #expect(try Self.isWithdrawn(release, on: site))
            let again = try await admin.send(path)
            #expect(try await admin.flash(by: again).contains("The channel had already ended."))
            #expect(try await !admin.get(Self.admin).text.contains("/channels/pr-12/end"))
            let events = try site.store.activity(count: 9).filter { $0.event == .channelEnded }
            #expect(events.map(\.actor).count == 1)
        }
    }

    @Test func `publishing and ending at once leaves no channel that offers nothing`() async throws
    {
        try await TestSite.run { site in
            let api = try APIClient.holding("publish:demo-co", on: site)
            for round in 0..<6 {
                try Self.publish(100 + round, on: site, until: 3600)
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask { _ = try Self.publish(200 + round, on: site, until: 3600) }
                    group.addTask {
                        let answer = try await api.post(Self.end)
                        #expect(answer.status == 200)
                    }
                    try await group.waitForAll()
                }
                let app = try Self.record(site)
                if let offered = try app.channels[Self.pull()] {
                    let release = try #require(
                        try site.store.release(offered, of: app.bundleIdentifier)
                    )
                    #expect(release.withdrawal == nil, "round \(round)")
                }
                _ = try await api.post(Self.end)
                let left = try site.store.releases(of: app.bundleIdentifier)
                    .filter { $0.withdrawal == nil }
                #expect(left.map(\.identifier) == [site.release.identifier], "round \(round)")
            }
        }
    }
}
