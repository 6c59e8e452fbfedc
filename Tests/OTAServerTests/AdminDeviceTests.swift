import Access
import Bundles
import Cryptography
import Enrolment
import Foundation
import Identifiers
import Releases
import Store
import TestSupport
import Testing

/// The admin's pages of devices, over TLS.
@Suite(.timeLimit(.minutes(10)))
struct AdminDeviceTests {
    private static let devices = "/admin/devices"

    private static func udid(_ number: Int) throws -> DeviceUDID {
        try #require(DeviceUDID("00008120-0000000000000" + String(100 + number)))
    }

    /// The path of a device's page.
    private static func page(_ site: TestSite, _ number: Int) throws -> String {
        let sessions = SessionAuthority(key: try site.store.sessionKey())
        return devices + "/" + sessions.reference(to: try udid(number))
    }

    private static func enrol(_ names: String..., in store: OTAStore) throws {
        try store.changeDevices { register in
            for name in names {
                try register.enrol(
                    Newcomer(
                        udid: udid(register.devices.count),
                        name: name,
                        model: "iPhone15,2",
                        os: OSVersion("18.1"),
                        invited: Date(),
                        by: "ada",
                    ),
                    at: Date(),
                )
            }
        }
    }

    private static func state(_ number: Int, in store: OTAStore) throws -> Device.State? {
        try store.devices()[udid(number)]?.state
    }

    @Test func `who waits is approved, one or all`() async throws {
        try await TestSite.run { site in
            try Self.enrol("Ana", "Ben", "Cleo", in: site.store)
            let admin = try await AdminClient.admin(site)
            let page = try await admin.get(Self.devices).text
            #expect(page.contains("Pending approval"))
            let reference = try Self.page(site, 0).suffix(24)
            let one = try await admin.send(
                Self.devices + "/approve",
                ["device": String(reference)],
            )
            #expect(try await admin.flash(by: one).contains("Ana was approved."))
            #expect(try Self.state(0, in: site.store) == .approved)
            #expect(try Self.state(1, in: site.store) == .enrolled)
            #expect(try await admin.send(try Self.page(site, 1) + "/approve").status == 303)
            #expect(
                try await admin.send(Self.devices + "/approve", ["device": "all"]).status == 303
            )
            #expect(try site.store.devices().pending.isEmpty)
            let events = try site.store.activity(count: 3)
            #expect(events.map(\.subject) == ["Cleo", "Ben", "Ana"])
            #expect(events.allSatisfy { $0.event == .deviceApproved && $0.actor == "root0" })
            #expect(
                try await admin.send(Self.devices + "/approve", ["device": "nobody"]).status == 404
            )
        }
    }

    @Test func `a device is renamed, taken out of use and brought back`() async throws {
        try await TestSite.run { site in
            try AdminAppTests.add("Ana", to: site.store, os: "18.1")
            let admin = try await AdminClient.admin(site)
            let page = try Self.page(site, 0)
            #expect(try await admin.get(page).text.contains("iPhone 14 Pro, iOS 18.1"))
            let hostile = "<svg onload=alert(1)>"
            #expect(try await admin.send(page + "/rename", ["name": hostile]).status == 303)
            for path in [page, Self.devices, page + "/disable", page + "/erase"] {
                let text = try await admin.get(path).text
                #expect(text.contains("&lt;svg onload=alert(1)&gt;"), "\(path)")
                #expect(!text.contains(hostile), "\(path)")
            }
            #expect(try await admin.send(page + "/rename", ["name": " "]).status == 422)

            #expect(try await admin.get(page + "/disable").text.contains("Disable "))
            #expect(try Self.state(0, in: site.store) == .approved)
            #expect(try await admin.send(page + "/disable").status == 303)
            #expect(try Self.state(0, in: site.store) == .disabled)
            #expect(
                try await admin.send(page + "/disable").status == 303,
                "twice is as good as once, as in the API",
            )
            #expect(try await admin.send(page + "/enable").status == 303)
            #expect(try Self.state(0, in: site.store) == .approved)
            let events = try site.store.activity(count: 3).map(\.event)
            #expect(events == [.deviceAdded, .deviceRemoved, .deviceRenamed])
        }
    }

    @Test func `a device is assigned to one of the teams that have an account`() async throws {
        try await TestSite.run { site in
            try AdminAppTests.add("Ana", to: site.store, os: "18.1")
            let admin = try await AdminClient.admin(site)
            let page = try Self.page(site, 0)
            // With only one account there is nothing to choose.
            try Self.addTeam("ABCDE12345", "Acme", to: site.store)
            #expect(!(try await admin.get(page).text.contains("name=\"team\"")))
            try Self.addTeam("OTHER67890", "Other", to: site.store)
            site.settle()
            let asked = try await admin.get(page).text
            #expect(asked.contains("<option value=\"ABCDE12345\">Acme, ABCDE12345</option>"))
            #expect(asked.contains("<dt>Team</dt><dd dir=\"auto\">none</dd>"))
            #expect(try await admin.send(page + "/rename", ["team": ""]).status == 422)
            #expect(try await admin.send(page + "/rename", ["team": "NOBODY1234"]).status == 404)
            #expect(try await admin.send(page + "/rename", ["team": "OTHER67890"]).status == 303)
            #expect(try site.store.devices().devices.map(\.team) == ["OTHER67890"])
            let text = try await admin.get(page).text
            #expect(text.contains("<option value=\"OTHER67890\" selected>"))
            #expect(try await admin.get(Self.devices).text.contains("team OTHER67890"))

            let add = Self.devices + "/add"
            #expect(try await admin.get(add).text.contains("<option value=\"ABCDE12345\">"))
            let new = ["udid": "00008120-000A1B2C3D4E5F67", "name": "Ben"]
            #expect(try await admin.send(add, new).status == 422)
            let whole = new.merging(["team": "ABCDE12345"]) { $1 }
            #expect(try await admin.send(add, whole).status == 303)
            let ben = try site.store.devices().devices.first { $0.name == "Ben" }
            #expect(ben?.team == "ABCDE12345")
        }
    }

    /// Adds a team with a developer account whose key cannot be decrypted.
    private static func addTeam(_ name: String, _ title: String, to store: OTAStore) throws {
        let identifier = try #require(TeamIdentifier(name))
        let now = Date()
        var team = Team(identifier, name: title, added: now, addedBy: "ada")
        let key = try #require(SealingKey(bytes: [UInt8](repeating: 7, count: 32)))
        team.account = TeamAccount(
            issuer: "57246542-96fe-1a63-e053-0824d011072a",
            keyID: "2X9R4HXF34",
            sealed: key.seal([1], as: .accountKey(of: identifier)),
            added: now,
            addedBy: "ada",
        )
        _ = try store.add(team)
    }

    @Test func `an erased device leaves nothing behind`() async throws {
        try await TestSite.run { site in
            try Self.enrol("Ana", in: site.store)
            let admin = try await AdminClient.admin(site)
            let page = try Self.page(site, 0)
            let attempt = InstallAttempt(
                app: site.release.bundleIdentifier,
                release: site.release.identifier,
                device: String(page.suffix(24)),
                began: site.clock.now,
                ended: site.clock.now,
                outcome: .downloaded,
                sent: 10,
            )
            try site.store.record(attempt)
            #expect(try await admin.get("/admin/apps/demo-co/1.2.0-34").text.contains(">Ana</a>"))
            #expect(try await admin.get(page).text.contains("Demo &amp; Co 1.2.0 (34)"))
            #expect(try await admin.get(page + "/erase").text.contains("Erase Ana?"))
            let gone = try await admin.send(page + "/erase")
            #expect(gone.fields["location"] == Self.devices)
            #expect(try site.store.devices().devices.isEmpty)
            #expect(try await admin.get(page).status == 404)
            let release = try await admin.get("/admin/apps/demo-co/1.2.0-34").text
            // The hint for crash reports contains the word Analytics.
            #expect(!release.replacing("Analytics", with: "").contains("Ana"))
            #expect(release.contains("downloaded the whole app"))
            #expect(try site.store.activity(count: 1).first?.subject == "a device")
        }
    }

    @Test func `devices are found by words, and by an identifier that no address shows`()
        async throws
    {
        try await TestSite.run { site in
            for number in 0..<60 {
                try AdminAppTests.add("Phone \(number)", to: site.store, os: "18.1")
            }
            let admin = try await AdminClient.admin(site)
            let first = try await admin.get(Self.devices).text
            #expect(first.contains("1–50 of 60"))
            #expect(try await admin.get(Self.devices + "?page=2").text.contains("51–60 of 60"))
            #expect(try await admin.get(Self.devices + "?page=3").status == 404)
            #expect(try await admin.get(Self.devices + "?show=nothing").status == 404)
            let words = try await admin.send(Self.devices + "/search", ["search": "phone 59"])
            let url = try #require(words.fields["location"])
            #expect(url == Self.devices + "?search=phone%2059#register")
            #expect(try await admin.get(String(url.prefix { $0 != "#" })).text.contains("1 device"))
            let udid = try Self.udid(7)
            let exact = try await admin.send(Self.devices + "/search", ["search": "\(udid)"])
            #expect(exact.fields["location"] == (try Self.page(site, 7)))
            let unknown = try Self.udid(99)
            let none = try await admin.send(Self.devices + "/search", ["search": "\(unknown)"])
            #expect(none.status == 404)
            #expect(!none.text.contains("\(unknown)"))
            #expect(!first.contains("00008120-"))
            let log = try await site.logText()
            #expect(!log.contains("00008120-"))
        }
    }

    @Test func `a device is added by hand`() async throws {
        try await TestSite.run { site in
            let admin = try await AdminClient.admin(site)
            let good = [
                "udid": " 00008120-0000000000000100 ", "name": "Ana", "model": "iPad13,4",
                "os": "18.1", "family": "",
            ]
            for (field, value) in [
                ("udid", "nothing"), ("os", "new"), ("family", "fridge"), ("udid", ""),
            ] {
                let refused = try await admin.send(
                    Self.devices + "/add",
                    good.merging([field: value]) { $1 },
                )
                #expect(refused.status == 422, "\(field)")
                #expect(refused.text.contains("value=\"Ana\""), "\(field)")
            }
            let added = try await admin.send(Self.devices + "/add", good)
            #expect(added.fields["location"] == (try Self.page(site, 0)))
            let device = try #require(try site.store.devices()[Self.udid(0)])
            #expect(device.family == .ipad)
            #expect(try site.store.activity(count: 1).first?.event == .deviceAdded)
            site.clock.advance(by: 11)
            #expect(try await admin.send(Self.devices + "/add", good).status == 409)
        }
    }

    @Test func `lists come in whole or not at all, pasted or as a file`() async throws {
        try await TestSite.run { site in
            let admin = try await AdminClient.admin(site)
            let import_ = Self.devices + "/import"
            let list =
                "Device ID\tDevice Name\n\(try Self.udid(0))\t=cmd\n\(try Self.udid(1))\tBen\n"
            // As on the command line, devices are marked as registered only on request.
            let form = try await admin.get(import_).text
            #expect(form.contains("name=\"registered\" value=\"1\">"))
            let bad = try await admin.send(import_, ["list": list + "nothing\n"])
            #expect(bad.status == 422)
            #expect(bad.text.contains("Line 4 has 1 column "))
            #expect(bad.text.contains("\tBen"))
            #expect(try await admin.send(import_, ["list": " "]).status == 422)
            #expect(try site.store.devices().devices.isEmpty)
            let pasted = try await admin.send(import_, ["list": list, "family": "ipad"])
            #expect(try await admin.flash(by: pasted).contains("Added 2 devices"))
            #expect(try site.store.devices().devices.map(\.family) == [.ipad, .ipad])

            let exported = try await admin.get(Self.devices + "/export")
            #expect(exported.fields["content-disposition"]?.contains("devices.txt") == true)
            #expect(exported.fields["cache-control"] == "private, no-store")
            #expect(exported.text.contains("\t'=cmd\tios"))

            let file = try await admin.send(
                import_,
                ["list": "", "family": "iphone", "registered": "1"],
                file: ("file", "a\"; name=\"x.txt", list + "\(try Self.udid(2))\tCleo\n"),
            )
            #expect(file.status == 303)
            #expect(try site.store.devices().devices.allSatisfy { $0.state == .registered })
            #expect(try site.store.devices().devices.count == 3)
            #expect(
                try await admin.get(Self.devices + "/export").text.split(separator: "\n").count == 1
            )
            let all = try await admin.get(Self.devices + "/export?all=1").text
            #expect(all.split(separator: "\n").count == 4)
            #expect(try site.store.activity(count: 1).first?.event == .devicesImported)
        }
    }

    @Test func `an invitation is shown once, and can be taken back`() async throws {
        try await TestSite.run { site in
            let admin = try await AdminClient.admin(site)
            let path = Self.devices + "/invitations"
            let answer = try await admin.send(
                path,
                ["name": "Ana & Co", "app": "demo-co", "valid": "3"],
            )
            let invited = try await admin.shown(after: answer)
            #expect(invited.status == 200)
            #expect(invited.text.contains("Invited Ana &amp; Co"))
            let start = try #require(invited.text.range(of: "/enrol/")).upperBound
            let token = String(invited.text[start...].prefix { $0.isLetter || $0.isNumber })
            #expect(try await WireClient.get(site, "/enrol/\(token)").status == 200)
            let again = try await admin.shown(after: answer)
            #expect(again.status == 200 && !again.text.contains(token))
            #expect(again.text.contains("were shown once"))
            #expect(try site.store.invitations().invitations.count == 1, "a reload invites nobody")
            #expect(try await admin.get(path + "/4f1d0c9a83b2e675").status == 404)
            let list = try await admin.get(path).text
            #expect(list.contains("Ana &amp; Co"))
            #expect(list.contains("for Demo &amp; Co"))
            #expect(!list.contains(token))
            let invitation = try #require(try site.store.invitations().invitations.first)
            #expect(invitation.createdBy == "root0")
            #expect(abs(invitation.expires.timeIntervalSince(invitation.created) - 3 * 86_400) < 1)
            let revoke = "\(path)/\(invitation.identifier)/revoke"
            #expect(try await admin.send(revoke).status == 303)
            #expect(try await WireClient.get(site, "/enrol/\(token)").status == 410)
            #expect(try await admin.send(revoke).status == 303, "the same form sent twice")
            for (field, value) in [
                ("name", ""), ("valid", "0"), ("valid", "x"), ("app", "none"),
            ] {
                let form = ["name": "Ben", "valid": "3"].merging([field: value]) { $1 }
                let refused = try await admin.send(path, form)
                #expect([404, 409, 422].contains(refused.status), "\(field) \(value)")
            }
            let events = try site.store.activity(count: 2).map(\.event)
            #expect(events == [.invitationRevoked, .deviceInvited])
        }
    }

    @Test func `nothing happens to whoever may not, or by a form that is not ours`() async throws {
        try await TestSite.run { site in
            try Self.enrol("Ana", in: site.store)
            let page = try Self.page(site, 0)
            let actions =
                [
                    "/approve", "/search", "/add", "/import", "/invitations",
                    "/invitations/4f1d0c9a83b2e675/revoke",
                ].map { Self.devices + $0 }
                + ["/approve", "/rename", "/disable", "/enable", "/erase"].map { page + $0 }
            let publisher = try await AdminClient.admin(site, Scope(.publish))
            let admin = try await AdminClient.admin(site)
            for path in actions {
                #expect(
                    try await publisher.send(path, ["device": "all"]).status == 403,
                    "\(path)",
                )
                #expect(try await admin.post(path, ["device": "all"]).status == 403, "\(path)")
            }
            for path in [
                Self.devices, page, Self.devices + "/invitations", Self.devices + "/import",
                Self.devices + "/add", Self.devices + "/export", page + "/erase",
            ] {
                #expect(try await publisher.get(path).status == 403, "\(path)")
            }
            #expect(try await WireClient.get(site, Self.devices + "/export").status == 401)
            #expect(try await WireClient.get(site, page).status == 303)
            #expect(try Self.state(0, in: site.store) == .enrolled)
        }
    }
}
