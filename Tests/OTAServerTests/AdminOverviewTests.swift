import Access
import Bundles
import Foundation
import Identifiers
import NIOCore
import Publishing
import Releases
import Store
import Testing

/// The admin's overview pages, in a running server.
@Suite(.timeLimit(.minutes(10)))
struct AdminOverviewTests {
    private static let paths = [
        "/admin", "/admin/profiles", "/admin/activity", "/admin/tokens", "/admin/notices",
    ]

    private static let udid = "00008120-000A1B2C3D4E5F67"

    /// Enrols a device whose name is markup.
    private static func enrol(_ site: TestSite) throws {
        try site.store.changeDevices { register in
            try register.enrol(
                Newcomer(
                    udid: try #require(DeviceUDID(udid)),
                    name: "<img src=x onerror=alert(1)>",
                    model: "iPhone15,2",
                    os: nil,
                    invited: Date(),
                    by: "ana",
                ),
                at: Date(),
            )
        }
    }

    private static func attempt(
        _ outcome: InstallAttempt.Outcome,
        _ site: TestSite,
    ) throws -> InstallAttempt {
        InstallAttempt(
            app: site.release.bundleIdentifier,
            release: site.release.identifier,
            device: nil,
            began: Date(timeIntervalSinceNow: -60),
            ended: Date(timeIntervalSinceNow: -30),
            outcome: outcome,
            sent: 1000,
        )
    }

    @Test func `every page is there, private, and tells no identifier`() async throws {
        try await TestSite.run { site in
            try Self.enrol(site)
            let admin = try await AdminClient.admin(site)
            for path in Self.paths {
                let page = try await admin.get(path)
                #expect(page.status == 200, "\(path)")
                #expect(page.fields["cache-control"] == "private, no-store")
                #expect(page.fields["x-content-type-options"] == "nosniff")
                #expect(page.fields["content-security-policy"]?.contains("'unsafe") == false)
                #expect(!page.text.contains(Self.udid))
                #expect(!page.text.contains(" style=") && !page.text.contains("<img src=x"))
            }
            let log = try await site.logText()
            #expect(!log.contains(Self.udid))
        }
    }

    @Test func `the overview tells what waits, what was published and who installed`()
        async throws
    {
        try await TestSite.run { site in
            try Self.enrol(site)
            try site.store.record(Self.attempt(.downloaded, site))
            try site.store.record(Self.attempt(.cutShort, site))
            let page = try await AdminClient.admin(site).get("/admin").text
            for text in [
                "1 device to approve", "&lt;img src=x onerror=alert(1)&gt;",
                "1 install in 30 days, and 1 attempt that did not finish", "Demo &amp; Co",
                "1.2.0 (34)", "stable, 1 install", "A device that is not enrolled",
                "The download stopped after 1 KB.", "0 of 100 used, 100 left",
                "href=\"/admin/apps/demo-co/1.2.0-34\"",
            ] {
                #expect(page.contains(text), "\(text)")
            }
        }
    }

    @Test func `one cause has one card, whose links say what they lead to`() async throws {
        try await TestSite.run { site in
            let other = try #require(DeviceUDID("00008120-000A1B2C3D4E5F99"))
            for number in 1...7 {
                try TestSite.publish(
                    Array("build \(number)".utf8),
                    into: site.store,
                    of: "com.example.app\(number)",
                    for: [other],
                )
            }
            try site.store.changeDevices { register in
                let device = Device(
                    udid: try #require(DeviceUDID(Self.udid)),
                    name: "Ana’s iPhone",
                    family: .iphone,
                    added: Date(),
                )
                try register.add(device, at: Date())
            }
            site.settle()
            let admin = try await AdminClient.admin(site)
            let page = try await admin.get("/admin").text
            #expect(page.contains("7 apps are missing devices"), "\(page)")
            let rows = page.components(separatedBy: "See devices<span class=\"unseen\">: ")
                .dropFirst()
            #expect(rows.count == 5)
            #expect(page.contains("href=\"/admin/attention/missing-devices\""))
            #expect(page.contains("Show all 7") && !page.contains(Self.udid))
            // The whole list.
            let list = try await admin.get("/admin/attention/missing-devices").text
            #expect(list.components(separatedBy: "See devices<span").count == 8)
            #expect(list.contains("1 device: Ana’s iPhone"))
            for path in ["nothing", "missing-devices?page=2", "missing-devices?page=x"] {
                #expect(try await admin.get("/admin/attention/" + path).status == 404, "\(path)")
            }
            let none = try await admin.get("/admin/attention/webhooks").text
            #expect(none.contains("Nothing of this kind needs attention"))
            let reader = try await AdminClient.admin(site, Scope(.read))
            #expect(try await reader.get("/admin/attention/missing-devices").status == 403)
            // An archived app needs no new build.
            try site.store.changeApp(try #require(BundleIdentifier("com.example.app1"))) {
                $0.isArchived = true
            }
            site.settle()
            let fewer = try await admin.get("/admin/attention/missing-devices").text
            #expect(fewer.contains("6 apps are missing devices"))
        }
    }

    @Test func `the overview names the channels that offer a build now`() async throws {
        try await TestSite.run { site in
            let pull = try #require(ChannelName("pr-12"))
            let release = try TestSite.publish(
                Array("a pull request".utf8),
                into: site.store,
                version: "1.3.0",
                build: "35",
                channel: pull,
                until: Date(timeIntervalSinceNow: 3600),
            )
            let app = release.bundleIdentifier
            let admin = try await AdminClient.admin(site)
            site.settle()
            #expect(try await admin.get("/admin").text.contains("pr-12, not installed yet"))
            try site.store.promote(release.identifier, of: app, to: .stable, by: "ada", at: Date())
            try site.store.changeApp(app) {
                _ = $0.end(pull, as: EndedChannel(date: Date(), actor: "ada"))
            }
            site.settle()
            let page = try await admin.get("/admin").text
            #expect(page.contains("stable, not installed yet"))
            #expect(page.contains("on no channel, not installed yet"))
            #expect(!page.contains("pr-12, not installed yet"))
        }
    }

    @Test func `a reader of one app sees that app, and nothing that could be changed`()
        async throws
    {
        try await TestSite.run { site in
            try Self.enrol(site)
            try site.store.record(
                Activity(date: Date(), actor: "ana", event: .deviceAdded, subject: "Lab phone")
            )
            try site.store.record(Self.attempt(.downloaded, site))
            let own = try await AdminClient.admin(
                site,
                Scope(.read, app: site.release.bundleIdentifier),
            )
            let page = try await own.get("/admin")
            #expect(page.status == 200)
            #expect(
                page.text.contains("Demo &amp; Co")
                    && page.text.contains("Viewer of com.example.demo")
            )
            #expect(!page.text.contains("Device slots") && !page.text.contains("to approve"))
            #expect(!page.text.contains("data-events") && !page.text.contains("/admin/devices"))
            let activity = try await own.get("/admin/activity").text
            #expect(activity.contains("published Demo &amp; Co") && !activity.contains("Lab phone"))
            let other = try #require(BundleIdentifier("com.example.other"))
            let stranger = try await AdminClient.admin(site, Scope(.publish, app: other))
            let seen = try await stranger.get("/admin").text
            #expect(!seen.contains("Demo &amp; Co"))
            #expect(try await stranger.get("/admin/activity?app=demo-co").status == 404)
            #expect(try await !stranger.get("/admin/activity").text.contains("Demo"))
            for client in [own, stranger] {
                #expect(try await client.get("/admin/tokens").status == 403)
                let refused = try await client.send(
                    "/admin/tokens",
                    ["name": "x", "scope": "admin"],
                )
                #expect(refused.status == 403)
                #expect(refused.text.contains("aria-label=\"Sections\""), "with the navigation")
            }
            #expect(try site.store.tokens().tokens.count == 2)
        }
    }

    @Test func `activity comes in pages, of one app or all`() async throws {
        try await TestSite.run { site in
            for number in 0..<60 {
                try site.store.record(
                    Activity(
                        date: Date(),
                        actor: "ana",
                        event: .deviceAdded,
                        subject: "Phone \(number)",
                    )
                )
            }
            let admin = try await AdminClient.admin(site)
            let first = try await admin.get("/admin/activity").text
            #expect(first.contains("Phone 59") && !first.contains("Phone 9<"))
            #expect(first.contains("href=\"/admin/activity?page=2\" rel=\"next\">Older"))
            let second = try await admin.get("/admin/activity?page=2").text
            #expect(
                second.contains("Phone 9<")
                    && second.contains("published Demo &amp; Co 1.2.0 (34) on stable")
            )
            #expect(
                second.contains(
                    "href=\"/admin/activity\" rel=\"prev\"><span aria-hidden=\"true\">‹</span> Newer"
                )
            )
            let one = try await admin.get("/admin/activity?app=demo-co").text
            #expect(one.contains("published Demo") && !one.contains("Phone"))
            for query in [
                "?page=0", "?page=x", "?page=99", "?app=none", "?app=..%2F..", "?page=1e9",
            ] {
                #expect(try await admin.get("/admin/activity" + query).status == 404, "\(query)")
            }
        }
    }

    @Test func `a page that opens hears what happened since it was made`() async throws {
        try await TestSite.run { site in
            let admin = try await AdminClient.admin(site)
            let page = try await admin.get("/admin").text
            let start = try #require(page.range(of: "data-events=\"")).upperBound
            let path = String(page[start...].prefix { $0 != "\"" })
            try TestSite.publish([1, 2, 3], into: site.store, version: "1.3.0")
            try await WireClient.secure(site) { client in
                try await client.send(
                    "GET \(path) HTTP/1.1\r\nHost: localhost\r\n"
                        + "Cookie: __Host-ota_admin=\(admin.cookie)\r\n\r\n"
                )
                #expect(try await client.responseHead().status == 200)
                // The events may arrive together with the head.
                var seen = String(decoding: client.buffer.readableBytesView, as: UTF8.self)
                while !seen.contains("1.3.0-34"), await client.more() {
                    seen = String(decoding: client.buffer.readableBytesView, as: UTF8.self)
                }
                #expect(seen.contains("event: activity") && seen.contains("1.3.0-34"))
            }
            #expect(try await admin.get("/admin").text.contains("1.3.0 (34)"))
        }
    }
}
