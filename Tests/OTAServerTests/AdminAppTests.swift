import Access
import Bundles
import Foundation
import Identifiers
import Releases
import Store
import TestSupport
import Testing

/// The admin's pages of apps and releases, over TLS.
@Suite(.timeLimit(.minutes(10)))
struct AdminAppTests {
    private static let app = "/admin/apps/demo-co"
    private static let release = app + "/1.2.0-34"

    @Test func `apps, their releases and what is in them are a link away`() async throws {
        try await TestSite.run { site in
            let admin = try await AdminClient.admin(site)
            let list = try await admin.get("/admin/apps")
            #expect(list.status == 200)
            #expect(list.text.contains("href=\"\(Self.app)\" dir=\"auto\">Demo &amp; Co"))
            let page = try await admin.get(Self.app)
            #expect(page.status == 200)
            #expect(page.text.contains("href=\"\(Self.release)\""))
            let release = try await admin.get(Self.release)
            #expect(release.status == 200)
            #expect(release.text.contains("Installs on every device"))
            #expect(release.text.contains("\(site.release.sha256)"))
            #expect(release.text.contains("/apps/demo-co/1.2.0-34"))
            let icon = try await admin.get(Self.release + "/icon.png")
            #expect(icon.status == 200)
            #expect(icon.fields["content-type"] == "image/png")
            for missing in [
                "/admin/apps/other", Self.app + "/9.9-9", Self.app + "?page=2",
                Self.app + "?page=0",
                Self.app + "/..%2f", Self.release + "/nothing", Self.app + "/devices?page=9",
            ] {
                #expect(try await admin.get(missing).status == 404, "\(missing)")
            }
        }
    }

    @Test func `settings change the app, and say so in the activity`() async throws {
        try await TestSite.run { site in
            let admin = try await AdminClient.admin(site)
            let answer = try await admin.send(
                Self.app + "/settings",
                [
                    "title": "Demo <b>", "slug": "demo", "access": "passphrase",
                    "passphrase": "open sesame, please",
                ],
            )
            #expect(answer.status == 303)
            #expect(answer.fields["location"] == "/admin/apps/demo#settings")
            let slug = try #require(Slug("demo"))
            let app = try #require(try site.store.app(slug: slug))
            #expect(app.title == "Demo <b>")
            #expect(app.access == .passphrase)
            #expect(try app.passphrase?.matches("open sesame, please") == true)
            #expect(!app.isListed)
            let page = try await admin.get("/admin/apps/demo").text
            #expect(page.contains("Demo &lt;b&gt;"))
            #expect(!page.contains("sesame"))
            let entry = try #require(try site.store.activity(count: 1).first)
            #expect(entry.event == .appChanged)
            #expect(entry.actor == "root0")
        }
    }

    @Test func `the lowest version in use is set and taken back on the page`() async throws {
        try await TestSite.run { site in
            let admin = try await AdminClient.admin(site)
            let form = ["title": "Demo", "slug": "demo-co", "access": "open"]
            let app = site.release.bundleIdentifier
            for (text, kept) in [(" 1.2.0-34 ", "1.2.0-34"), ("", nil)] {
                let answer = try await admin.send(
                    Self.app + "/settings",
                    form.merging(["minimum": text]) { $1 },
                )
                #expect(answer.status == 303)
                #expect(try site.store.app(app)?.minimumVersion?.description == kept)
                site.settle()
                let page = try await admin.get(Self.app).text
                #expect(page.contains("name=\"minimum\" value=\"\(kept ?? "")\""))
            }
        }
    }

    @Test func `an old page writes nothing over what somebody else has saved since`() async throws {
        try await TestSite.run { site in
            let admin = try await AdminClient.admin(site)
            func version(_ path: String) async throws -> String {
                let parts = try await admin.get(path).text
                    .components(separatedBy: "name=\"version\" value=\"")
                return String(try #require(parts.dropFirst().first).prefix { $0 != "\"" })
            }
            let settings = try await version(Self.app)
            let notes = try await version(Self.release + "/notes")
            let app = site.release.bundleIdentifier
            try site.store.changeApp(app) { $0.access = .enrolled }
            _ = try site.store.changeRelease(site.release.identifier, of: app) { $0.notes = "new" }
            let old = ["title": "Demo", "slug": "demo-co", "access": "open", "version": settings]
            let late = try await admin.send(Self.app + "/settings", old)
            #expect(late.status == 412)
            #expect(late.text.contains("changed in the meantime"))
            #expect(try site.store.app(app)?.access == .enrolled)
            let refused = try await admin.send(
                Self.release + "/notes",
                ["notes": "old", "version": notes],
            )
            #expect(refused.status == 412)
            #expect(try site.store.release(site.release.identifier, of: app)?.notes == "new")
            // The offered builds may change while someone fills in the form.
            try await Task.sleep(for: .milliseconds(300))
            let fresh = try await version(Self.app)
            try TestSite.publish([1, 2, 3], into: site.store, version: "1.3.0")
            let saved = try await admin.send(
                Self.app + "/settings",
                old.merging(["version": fresh]) { $1 },
            )
            #expect(saved.status == 303)
        }
    }

    @Test func `settings that make no sense are said, and change nothing`() async throws {
        try await TestSite.run { site in
            let admin = try await AdminClient.admin(site)
            let good = ["title": "Demo", "slug": "demo-co", "access": "open", "listed": "1"]
            for (field, value) in [
                ("title", ""), ("title", "a\u{202E}b"), ("slug", "No Slug"), ("slug", ""),
                ("access", "passphrase"), ("passphrase", "short"), ("minimum", "soon"),
            ] {
                let answer = try await admin.send(
                    Self.app + "/settings",
                    good.merging([field: value]) { $1 },
                )
                #expect(answer.status == 422, "\(field) \(value)")
                #expect(answer.text.contains("role=\"alert\""), "\(field) \(value)")
            }
            let app = try #require(try site.store.app(site.release.bundleIdentifier))
            #expect(app.title == "Demo & Co")
            #expect(app.access == .open)
        }
    }

    @Test func `a release is promoted, withdrawn with a reason, and offered again`() async throws {
        try await TestSite.run { site in
            let admin = try await AdminClient.admin(site)
            let promoted = try await admin.send(Self.release + "/promote", ["channel": "beta"])
            #expect(promoted.fields["location"] == Self.release)
            #expect(try await admin.flash(by: promoted).contains("is now on beta."))
            let beta = try #require(ChannelName("beta"))
            #expect(
                try site.store.app(site.release.bundleIdentifier)?.channels[beta]?.rawValue
                    == "1.2.0-34"
            )
            // An invalid name is reported next to the form, which keeps it.
            let bad = ["channel": "Be ta", "expires": "2d"]
            let refused = try await admin.send(Self.release + "/promote", bad)
            #expect(refused.status == 422 && refused.text.contains("role=\"alert\""))
            #expect(
                refused.text.contains("value=\"Be ta\"") && refused.text.contains("value=\"2d\"")
            )
            #expect(!refused.text.contains("Nothing was changed"))

            let asked = try await admin.get(Self.release + "/withdraw")
            #expect(asked.text.contains("Withdraw Demo"))
            #expect(
                try site.store.release(site.release.identifier, of: site.release.bundleIdentifier)?
                    .withdrawal == nil
            )
            let empty = try await admin.send(Self.release + "/withdraw", ["reason": " "])
            #expect(empty.status == 422 && empty.text.contains("role=\"alert\""))
            #expect(!empty.text.contains("Nothing was changed"))
            let hostile = "<script>alert(1)</script>"
            let gone = try await admin.send(Self.release + "/withdraw", ["reason": hostile])
            #expect(gone.status == 303)
            let page = try await admin.get(Self.release).text
            #expect(page.contains("&lt;script&gt;alert(1)"))
            #expect(!page.contains(hostile))
            let shown = try await WireClient.get(site, "/apps/demo-co/1.2.0-34")
            #expect(shown.status == 410)
            #expect(shown.text.contains("/apps/demo-co/history"), "the way on")
            #expect(
                try await admin.send(Self.release + "/promote", ["channel": "rc"]).status == 409
            )

            #expect(try await admin.send(Self.release + "/restore").status == 303)
            #expect(
                try site.store.release(site.release.identifier, of: site.release.bundleIdentifier)?
                    .withdrawal == nil
            )
            let events = try site.store.activity(count: 3).map(\.event)
            #expect(events == [.restored, .withdrawn, .promoted])
        }
    }

    @Test func `notes are looked at before they are saved`() async throws {
        try await TestSite.run { site in
            let admin = try await AdminClient.admin(site)
            let notes = "# New\n\n- **fast** <b>&lt;/textarea></textarea>"
            let preview = try await admin.send(
                Self.release + "/notes",
                ["notes": notes, "do": "preview"],
            )
            #expect(preview.status == 200)
            #expect(preview.text.contains("<strong>fast</strong>"))
            #expect(!preview.text.contains("</textarea></textarea>"))
            let stored = {
                try site.store.release(site.release.identifier, of: site.release.bundleIdentifier)?
                    .notes
            }
            #expect(try stored() == "")
            // As many bytes as notes may have; the form encodes them in three times as many.
            let long = String(repeating: "é", count: 32 << 10)
            let kept = try await admin.send(Self.release + "/notes", ["notes": long])
            #expect(kept.status == 303)
            #expect(try stored() == long)
            let saved = try await admin.send(Self.release + "/notes", ["notes": "a\r\nb"])
            #expect(saved.status == 303)
            #expect(try stored() == "a\nb")
            #expect(try site.store.activity(count: 1).first?.event == .notesChanged)
        }
    }

    @Test func `whoever may only look sees their apps, and no device by name`() async throws {
        try await TestSite.run { site in
            try Self.add("Ana's iPhone", to: site.store, os: "12.1")
            let app = site.release.bundleIdentifier
            let reader = try await AdminClient.admin(site, Scope(.read, app: app))
            #expect(try await reader.get(Self.app).status == 200)
            let page = try await reader.get(Self.release).text
            #expect(page.contains("0 of 1 device can install it."))
            // The hint for crash reports contains the word Analytics.
            #expect(!page.replacing("Analytics", with: "").contains("Ana"))
            #expect(!page.contains("Withdraw"))
            let refused = [
                Self.app + "/settings", Self.release + "/promote", Self.release + "/withdraw",
                Self.release + "/restore", Self.release + "/notes",
            ]
            for path in refused {
                let form = ["reason": "x", "channel": "beta", "title": "x"]
                #expect(try await reader.send(path, form).status == 403, "\(path)")
            }
            for path in [
                Self.app + "/devices", Self.release + "/devices", Self.release + "/notes",
                "/admin/devices",
            ] {
                #expect(try await reader.get(path).status == 403, "\(path)")
            }
            let other = try #require(BundleIdentifier("com.example.other"))
            let stranger = try await AdminClient.admin(site, Scope(.read, app: other))
            #expect(try await stranger.get("/admin/apps").text.contains("0 apps"))
            #expect(try await stranger.get(Self.app).status == 404)
            #expect(try await stranger.get(Self.release + "/icon.png").status == 404)

            let publisher = try await AdminClient.admin(site, Scope(.publish, app: app))
            #expect(
                try await publisher.send(Self.release + "/promote", ["channel": "beta"]).status
                    == 303
            )
            #expect(try await publisher.send(Self.app + "/settings", ["title": "x"]).status == 403)
        }
    }

    @Test func `the table of devices and releases says why not`() async throws {
        try await TestSite.run { site in
            try Self.add("<i>Old</i> iPhone", to: site.store, os: "12.1")
            try Self.add("New iPhone", to: site.store, os: "18.1")
            let admin = try await AdminClient.admin(site)
            let page = try await admin.get(Self.app + "/devices").text
            #expect(page.contains("&lt;i&gt;Old&lt;/i&gt; iPhone"))
            #expect(page.contains("title=\"The device’s iOS is older") || page.contains("older"))
            #expect(page.contains("Does not install: 1.2.0 (34)"))
            #expect(page.contains("Installs: 1.2.0 (34)"))
            let table = try await admin.get(Self.release + "/devices").text
            #expect(table.contains("1 of 2 devices can install it."))
        }
    }

    @Test func `a page of releases reads none of another page`() async throws {
        try await TestSite.run { site in
            let folder = site.folder.appending(path: "store/apps/com.example.demo/releases")
            let document = try Data(contentsOf: folder.appending(path: "1.2.0-34.json"))
            // The releases on page 200 can be read, and 9,970 others cannot.
            let broken = site.folder.appending(path: "broken")
            try Data("{".utf8).write(to: broken)
            for number in 1...10_000 {
                let file = folder.appending(path: "2.\(number)-34.json")
                guard (4_001...4_030).contains(number) else {
                    try FileManager.default.linkItem(at: broken, to: file)
                    continue
                }
                let text = String(decoding: document, as: UTF8.self)
                    .replacing("\"1.2.0\"", with: "\"2.\(number)\"")
                try Data(text.utf8).write(to: file)
            }
            let admin = try await AdminClient.admin(site)
            let page = try await admin.get(Self.app + "?page=200")
            #expect(page.status == 200)
            #expect(page.text.contains("5971–6000 of 10,001"))
            #expect(page.text.contains("2.4030"))
            #expect(page.text.contains("2.4001"))
            #expect(page.text.utf8.count < 40_000)
        }
    }

    static func add(_ name: String, to store: OTAStore, os: String) throws {
        try store.changeDevices { register in
            let number = register.devices.count
            try register.add(
                Device(
                    udid: #require(DeviceUDID("00008120-0000000000000" + String(100 + number))),
                    name: name,
                    family: .iphone,
                    model: "iPhone15,2",
                    os: OSVersion(os),
                    added: Date(),
                ),
                at: Date(),
            )
        }
    }
}
