import APIDocuments
import Administration
import Bundles
import Foundation
import Identifiers
import Releases
import TestSupport
import Testing

/// Pages that are open in a real browser while something changes.
@Suite(
    .serialized,
    .enabled(if: Browser.chromium != nil && WebhookReceiver.python != nil, "there is no browser"),
    .timeLimit(.minutes(10)),
)
struct LivePageTests {
    private static let app = "/admin/apps/demo-co"
    private static let release = app + "/1.2.0-34"
    private static let badge = "document.getElementById('live').textContent"

    /// Runs a browser in which an admin is signed in, with actions of another admin.
    private func run(
        _ body: @Sendable @escaping (TestSite, Browser, Administrator) async throws -> Void
    ) async throws {
        try await TestSite.run { site in
            let admin = try await AdminClient.admin(site)
            let other = Administrator(of: site.store, named: "ben", clock: { site.clock.now })
            try await Browser.run(in: site.folder) { browser in
                try await browser.set(
                    cookie: "__Host-ota_admin",
                    to: admin.cookie,
                    for: "https://localhost:\(site.port)/",
                )
                try await body(site, browser, other)
            }
        }
    }

    private func open(_ path: String, _ site: TestSite, _ browser: Browser) async throws {
        try await browser.open("https://localhost:\(site.port)\(path)")
        #expect(try await browser.waits(for: "\(Self.badge) === 'Live'"), "\(path) is not live")
    }

    private func device(_ number: Int, _ name: String) throws -> NewDevice {
        NewDevice(
            udid: try #require(DeviceUDID("00008120-0000000000000A0\(number)")),
            name: name,
            family: .iphone,
        )
    }

    @Test func `each page that says Live shows what somebody else does`() async throws {
        try await run { site, browser, other in
            let app = site.release.bundleIdentifier
            let first = try other.addDevice(device(0, "First phone"))
            let admin = try await AdminClient.admin(site)
            let list = try await admin.get("/admin/devices").text
            let start = try #require(list.firstRange(of: "/admin/devices/", before: "\" dir"))
            let changes: [(path: String, shows: String, act: () throws -> Void)] = [
                (
                    "/admin/apps", "1.3.0",
                    {
                        try TestSite.publish(Array("a".utf8), into: site.store, version: "1.3.0")
                        try other.promote(
                            .init(version: "1.3.0", build: "34"),
                            of: app,
                            to: .stable,
                        )
                    },
                ),
                (
                    Self.app, "1.4.0",
                    {
                        try TestSite.publish(Array("b".utf8), into: site.store, version: "1.4.0")
                        try other.promote(
                            .init(version: "1.4.0", build: "34"),
                            of: app,
                            to: .stable,
                        )
                    },
                ),
                (
                    Self.release, "It loses bookmarks",
                    {
                        try other.withdraw(
                            site.release.identifier,
                            of: app,
                            reason: "It loses bookmarks.",
                        )
                    },
                ),
                (
                    Self.release + "/devices", "Second phone",
                    {
                        try other.addDevice(self.device(1, "Second phone"))
                    },
                ),
                (
                    Self.app + "/devices", "Third phone",
                    {
                        try other.addDevice(self.device(2, "Third phone"))
                    },
                ),
                (
                    "/admin/devices", "Fourth phone",
                    {
                        try other.addDevice(self.device(3, "Fourth phone"))
                    },
                ),
                (start, "Renamed phone", { try other.rename(first.udid, to: "Renamed phone") }),
                (
                    "/admin/devices/invitations", "Kim’s iPad",
                    {
                        _ = try other.invite(
                            NewInvitation(name: "Kim’s iPad"),
                            links: Links(base: try BaseURL("https://localhost")),
                        )
                    },
                ),
            ]
            for (path, words, act) in changes {
                try await open(path, site, browser)
                let shown = "document.getElementById('content').textContent.includes('\(words)')"
                #expect(try await browser.text("String(\(shown))") == "false", "\(path)")
                try act()
                #expect(try await browser.waits(for: shown), "\(path) shows no \(words)")
            }
        }
    }

    @Test func `what somebody types stays, and the badge says that the part waits`() async throws {
        try await run { site, browser, other in
            let device = try other.addDevice(device(0, "First phone"))
            let admin = try await AdminClient.admin(site)
            let list = try await admin.get("/admin/devices").text
            let path = try #require(list.firstRange(of: "/admin/devices/", before: "\" dir"))
            try await open(path, site, browser)
            try await browser.type("Half a na", into: "#name")
            try other.rename(device.udid, to: "Renamed phone")
            let renamed = "document.querySelector('h1').textContent === 'Renamed phone'"
            #expect(try await browser.waits(for: renamed), "other parts go on")
            #expect(
                try await browser.text("document.getElementById('name').value")?.contains(
                    "Half a na"
                ) == true
            )
            #expect(try await browser.waits(for: "\(Self.badge) === 'Paused while you type'"))
            _ = try await browser.text(
                "(name => { name.value = name.defaultValue; name.blur() "
                    + "})(document.getElementById('name'))"
            )
            let taken = "document.getElementById('name').value === 'Renamed phone'"
            #expect(try await browser.waits(for: taken))
            #expect(try await browser.waits(for: "\(Self.badge) === 'Live'"))
        }
    }

    @Test
    func `what is unfolded stays unfolded, and a page without a part that changes says nothing`()
        async throws
    {
        try await run { site, browser, other in
            try await open(Self.release, site, browser)
            _ = try await browser.text("document.querySelector('details.bundle').open = true")
            let text = "document.getElementById('evidence').textContent"
            _ = try await browser.text("window.before = \(text)")
            try other.addDevice(device(0, "New phone"))
            let shown = "\(text) !== window.before"
            #expect(try await browser.waits(for: shown))
            #expect(
                try await browser.text("String(document.querySelector('details.bundle').open)")
                    == "true"
            )

            let quiet = "document.getElementById('live').hidden"
            for path in [
                Self.release + "/withdraw", Self.release + "/notes", "/admin/devices/add",
                "/admin/devices/import",
            ] {
                try await browser.open("https://localhost:\(site.port)\(path)")
                #expect(try await browser.waits(for: "document.readyState === 'complete'"))
                try await Task.sleep(for: .milliseconds(300))
                #expect(try await browser.text("String(\(quiet))") == "true", "\(path)")
            }
        }
    }
}

extension String {
    /// The first range that begins with one text and ends before another.
    fileprivate func firstRange(of start: String, before end: String) -> String? {
        for part in components(separatedBy: start).dropFirst() {
            let rest = part.components(separatedBy: end)[0]
            if rest.count == 24 { return start + rest }
        }
        return nil
    }
}
