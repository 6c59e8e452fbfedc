import APIDocuments
import Access
import Administration
import Foundation
import Identifiers
import OTAServer
import Releases
import Store
import TestSupport
import Testing

/// Apps and channels that are open to groups: what members see, and what others do not see.
@Suite(.timeLimit(.minutes(10)))
struct GroupTests {
    private static let paths = [
        "/apps/demo-co", "/apps/demo-co?channel=stable", "/apps/demo-co/1.2.0-34",
        "/apps/demo-co/history", "/apps/demo-co/icon.png", "/apps/demo-co/1.2.0-34/icon.png",
        "/apps/demo-co/qr.svg", "/apps/demo-co/1.2.0-34/qr.svg",
    ]

    private static func admin(_ site: TestSite) -> Administrator {
        Administrator(of: site.store, named: "ada", clock: { site.clock.now })
    }

    private static func group(_ name: String) throws -> GroupName { try #require(GroupName(name)) }

    /// Opens the demo app to the group qa, of which Ana is a member and Ben is not.
    private static func close(
        _ site: TestSite
    ) throws -> (ana: TestTester, ben: TestTester, admin: Administrator) {
        let ana = try TestTester(TestTester.ana, of: site)
        let ben = try TestTester(TestTester.ben, of: site)
        try ana.join(site)
        try ben.join(site, named: "Ben's iPhone")
        let admin = admin(site)
        try admin.createGroup(group("qa"))
        try admin.add([ana.device], to: group("qa"))
        try admin.changeApp(
            site.release.bundleIdentifier,
            AppChange(access: AppRecord.Access("groups:qa")),
        )
        site.settle()
        return (ana, ben, admin)
    }

    private static func statuses(
        _ site: TestSite,
        _ tester: TestTester?,
    ) async throws -> Set<Int> {
        var all: Set<Int> = []
        for path in paths {
            let cookie = tester.map { ["Cookie": $0.cookie] } ?? [:]
            all.insert(try await WireClient.get(site, path, fields: cookie).status)
        }
        return all
    }

    @Test func `an app for a group is there for its members, and for others it is not`()
        async throws
    {
        try await TestSite.run { site in
            let (ana, ben, admin) = try Self.close(site)
            #expect(try await Self.statuses(site, ana) == [200])
            #expect(try await Self.statuses(site, ben) == [404])
            #expect(try await Self.statuses(site, nil) == [404])
            #expect(try await ana.get(site, "/").text.contains("/apps/demo-co"))
            #expect(try await !ben.get(site, "/").text.contains("Demo"))
            // A hidden app looks like one that does not exist.
            let hidden = try await ben.get(site, "/apps/demo-co")
            let absent = try await ben.get(site, "/apps/demo-xx")
            #expect(
                hidden.text.replacing("demo-co", with: "")
                    == absent.text.replacing("demo-xx", with: "")
            )
            try admin.remove([ana.device], from: Self.group("qa"))
            site.settle()
            #expect(try await Self.statuses(site, ana) == [404])
        }
    }

    @Test func `a manifest that was handed out stops when its device leaves the group`()
        async throws
    {
        try await TestSite.run { site in
            let (ana, _, admin) = try Self.close(site)
            let path = try await ana.get(site, "/apps/demo-co").manifestPath(on: site)
            let manifest = try await WireClient.get(site, path)
            #expect(manifest.status == 200)
            // The rights are checked again at once: responses that depend on the device are not cached.
            try admin.remove([ana.device], from: Self.group("qa"))
            _ = try site.store.devices()
            var last = 200
            for _ in 0..<40 where last == 200 {
                last = try await WireClient.get(site, path).status
                if last == 200 { try await Task.sleep(for: .milliseconds(50)) }
            }
            #expect(last == 403 || last == 410, "\(last)")
            try admin.add([ana.device], to: Self.group("qa"))
            site.settle()
            #expect(try await WireClient.get(site, path).status == 200)
        }
    }

    @Test func `a channel for a group is hidden in an open app`() async throws {
        try await TestSite.run { site in
            let (ana, ben, admin) = try Self.close(site)
            let beta = try #require(ChannelName("beta"))
            try TestSite.publish(
                [1, 2, 3],
                into: site.store,
                version: "2.0",
                build: "9",
                channel: beta,
            )
            let app = try #require(try site.store.app(site.release.bundleIdentifier))
            try admin.changeApp(app.bundleIdentifier, AppChange(access: .open))
            try admin.open(beta, of: app, to: #require(AppRecord.ChannelAccess("groups:qa")))
            site.settle()
            for path in [
                "/apps/demo-co?channel=beta", "/apps/demo-co/2.0-9", "/apps/demo-co/2.0-9/qr.svg",
            ] {
                #expect(try await ana.get(site, path).status == 200, "\(path)")
                #expect(try await ben.get(site, path).status == 404, "\(path)")
                #expect(try await WireClient.get(site, path).status == 404, "\(path)")
            }
            #expect(try await ana.get(site, "/apps/demo-co/history").text.contains("2.0"))
            let history = try await ben.get(site, "/apps/demo-co/history").text
            #expect(history.contains("1.2.0") && !history.contains("2.0-9"))
            // Someone who got a link while the channel was open.
            try admin.open(beta, of: app, to: .app)
            site.settle()
            let open = try await WireClient.get(site, "/apps/demo-co/2.0-9").manifestPath(on: site)
            #expect(try await WireClient.get(site, open).status == 200)
            try admin.open(beta, of: app, to: #require(AppRecord.ChannelAccess("groups:qa")))
            site.settle()
            #expect(try await WireClient.get(site, open).status != 200)
        }
    }

    @Test func `a tester sees their groups and leaves one`() async throws {
        try await TestSite.run { site in
            let (ana, ben, _) = try Self.close(site)
            let page = try await ana.get(site, "/groups")
            #expect(page.status == 200 && page.text.contains("Leave the group qa"))
            #expect(try await ben.get(site, "/groups").text.contains("in no group"))
            #expect(try await WireClient.get(site, "/groups").status == 404)
            #expect(try await ana.get(site, "/").text.contains("/groups"))
            let answer = try await Self.leave(site, "qa", ana, from: "same-origin")
            #expect(answer.status == 303)
            site.settle()
            #expect(try await Self.statuses(site, ana) == [404])
            let entry = try #require(try site.store.activity(count: 1).first)
            #expect(
                (entry.event, entry.actor, entry.detail) == (.groupLeft, "Ana's iPhone", "qa")
            )
            #expect(entry.deed(app: nil) == "left qa")
            #expect(try await Self.leave(site, "qa", ana, from: "cross-site").status == 403)
            #expect(try await Self.leave(site, "nobody", ana, from: "same-origin").status == 404)
            #expect(try await Self.leave(site, "../x", ana, from: "same-origin").status == 400)
        }
    }

    private static func leave(
        _ site: TestSite,
        _ group: String,
        _ tester: TestTester,
        from place: String,
    ) async throws -> WireResponse {
        let body = "group=\(group)"
        return try await WireClient.secure(site) { client in
            try await client.send(
                "POST /groups/leave HTTP/1.1\r\nHost: localhost\r\n"
                    + "Cookie: \(tester.cookie)\r\n"
                    + "Sec-Fetch-Site: \(place)\r\n"
                    + "Content-Type: application/x-www-form-urlencoded\r\n"
                    + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
            )
            return try await client.response()
        }
    }

    @Test func `the API creates groups, and refuses what would open an app by accident`()
        async throws
    {
        try await TestSite.run { site in
            let (ana, ben, _) = try Self.close(site)
            let api = try APIClient.holding("admin", on: site)
            let made = try await api.post("/groups", #"{"group": "beta"}"#)
            #expect(made.status == 201)
            #expect(made.wire.fields["location"]?.hasSuffix("/api/v1/groups/beta") == true)
            #expect(try await api.post("/groups", #"{"group": "beta"}"#).refusal == "group.exists")
            #expect(try await api.post("/groups", #"{"group": "Be ta"}"#).status == 400)
            let added = try await api.post(
                "/groups/beta/add",
                #"{"devices": ["\#(ana.reference)", "\#(ben.reference)"]}"#,
            )
            #expect(try added.document(GroupDocument.self).group.members == 2)
            let matrix = try await api.get("/access").document(AccessMatrixDocument.self)
            #expect(matrix.groups == ["beta", "qa"])
            #expect(matrix.apps.first?.open == ["qa": ["stable"], "beta": []])
            let gone = try await api.send("DELETE", "/api/v1/groups/qa")
            #expect((gone.status, gone.refusal) == (409, "group.in-use"))
            let unknown = try await api.send(
                "PATCH",
                "/api/v1/apps/demo-co",
                #"{"access": "groups:nobody"}"#,
            )
            #expect((unknown.status, unknown.refusal) == (404, "group.unknown"))
            let channel = try await api.send(
                "PUT",
                "/api/v1/apps/demo-co/channels/beta/access",
                #"{"access": "groups:beta"}"#,
            )
            #expect(channel.status == 200)
            let kept = try await api.send("DELETE", "/api/v1/groups/beta")
            #expect(kept.refusal == "group.in-use", "a channel names it")
            let reader = try APIClient.holding("read", on: site)
            for path in ["/groups", "/groups/qa", "/access"] {
                #expect(try await reader.get(path).status == 403, "\(path)")
            }
        }
    }

    @Test func `pages create a group, add and remove devices, and open an app`() async throws {
        try await TestSite.run { site in
            let ana = try TestTester(TestTester.ana, of: site)
            try ana.join(site)
            site.settle()
            let admin = try await AdminClient.admin(site)
            let bad = try await admin.send("/admin/groups", ["group": "Q A"])
            #expect(bad.status == 422 && bad.text.contains("role=\"alert\""))
            let made = try await admin.send("/admin/groups", ["group": "qa"])
            #expect(try await admin.flash(by: made).contains("Group qa created."))
            _ = try await admin.send("/admin/groups/qa/add", ["device": ana.reference])
            #expect(try await admin.get("/admin/groups/qa").text.contains("Ana&#39;s iPhone"))
            let page = try await admin.get("/admin/apps/demo-co").text
            let version = try #require(
                page.components(separatedBy: "name=\"version\" value=\"").dropFirst().first
            ).prefix { $0 != "\"" }
            let saved = try await admin.send(
                "/admin/apps/demo-co/settings",
                [
                    "title": "Demo & Co", "slug": "demo-co", "access": "groups", "groups": "qa",
                    "listed": "1", "version": String(version),
                ],
            )
            #expect(saved.status == 303, "\(saved.text)")
            #expect(
                try site.store.app(site.release.bundleIdentifier)?.access.description == "groups:qa"
            )
            let channel = try await admin.send(
                "/admin/apps/demo-co/channels/stable/access",
                ["groups": "nobody"],
            )
            #expect(channel.status == 404 && channel.text.contains("role=\"alert\""))
            let matrix = try await admin.get("/admin/groups").text
            #expect(matrix.contains("Groups × apps") && matrix.contains("stable"))
            _ = try await admin.send("/admin/groups/qa/remove", ["device": ana.reference])
            #expect(try site.store.devices()[ana.device]?.groups.isEmpty == true)
            let events = try site.store.activity(count: 8).filter { $0.actor == "root0" }
            #expect(events.map(\.event) == [.groupLeft, .appChanged, .groupJoined, .groupCreated])
        }
    }

    // Options: apps add: access
    // Options: channels access: access
    @Test func `commands make groups, and open an app and a channel to them`() async throws {
        try await TestSite.run { site in
            let (ana, _, admin) = try Self.close(site)
            try admin.createGroup(Self.group("beta"))
            let program = try #require(Program(built: "ota"), "ota was not built beside the tests")
            let store = site.folder.appending(path: "store").path()
            func ota(_ words: String...) async throws -> String {
                let done = try await program.run(words + ["--store", store], in: site.folder)
                #expect(done.status == 0, "\(words): \(done.errors)")
                return done.output
            }
            let udid = ana.device.rawValue
            #expect(
                try await ota("groups", "create", "sales").hasPrefix("Created the group sales.")
            )
            #expect(try await ota("groups", "add", "beta", udid).contains("1 device now"))
            #expect(try await ota("groups", "list").contains("Demo & Co (stable)"))
            let shown = try await ota("groups", "show", "beta")
            #expect(shown.contains(udid) && shown.contains("not yet at Apple"))
            _ = try await ota(
                "sign-in",
                "set",
                "--issuer",
                "https://id.example.com",
                "--client-id",
                "ota",
                "--public-client",
                "--admins",
                "ana@example.com",
                "--role-claim",
                "groups",
                "--tester-person",
                "sales=ana@example.com",
                "--tester-group",
                "sales=mobile-team",
            )
            let people = "ana@example.com, claim:mobile-team"
            #expect(
                try await ota("groups", "show", "sales").contains("Named by: sign-in (\(people))")
            )
            #expect(try await ota("groups", "list").contains("sign-in (\(people))"))
            let set = try #require(try site.store.activity(count: 1).first)
            #expect(set.deed(app: nil).hasSuffix("(1 role, 2 tester rules)"))
            let page = try await AdminClient.admin(site).get("/admin/groups/sales").text
            #expect(page.contains("<span dir=\"auto\">\(people)</span>"))
            #expect(!page.contains("Delete this group"))
            _ = try await ota("sign-in", "remove")
            let opened = try await ota(
                "channels",
                "access",
                "demo-co",
                "beta",
                "--access",
                "groups:beta",
            )
            #expect(opened == "Demo & Co, beta: access for the groups beta.\n")
            #expect(try await ota("groups", "matrix").contains("groups:qa"))
            let added = try await ota(
                "apps",
                "add",
                "com.example.other",
                "--access",
                "groups:beta,qa",
            )
            #expect(added.contains("other"))
            #expect(try await ota("groups", "matrix", "--json").contains("\"com.example.other\""))
            #expect(try await ota("groups", "remove", "beta", udid).contains("0 devices now"))
            #expect(try await ota("groups", "delete", "sales") == "Deleted the group sales.\n")
            let users = Set(try site.store.activity(count: 5).map(\.actor))
            #expect(users.count == 1 && !users.contains("ota") && !users.contains(""))
        }
    }
}
