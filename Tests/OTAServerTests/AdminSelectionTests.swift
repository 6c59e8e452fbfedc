import Access
import Cryptography
import Foundation
import Identifiers
import Releases
import Store
import Testing

/// Actions on several selected devices, over TLS.
@Suite(.timeLimit(.minutes(10)))
struct AdminSelectionTests {
    private static let path = "/admin/devices/selected"

    /// The fields of a form in which these devices are selected.
    private static func form(
        _ site: TestSite,
        _ names: String...,
        and more: [String: String],
    )
        throws -> [String: String]
    {
        let sessions = SessionAuthority(key: try site.store.sessionKey())
        let devices = try site.store.devices().devices.filter { names.contains($0.name) }
        #expect(devices.count == names.count)
        return Dictionary(
            uniqueKeysWithValues: devices.map { ("d." + sessions.reference(to: $0.udid), "1") }
        ).merging(more) { $1 }
    }

    private static func add(_ names: String..., to store: OTAStore) throws {
        for name in names { try AdminAppTests.add(name, to: store, os: "18.1") }
    }

    @Test func `selected devices join a group and leave it, and the page stays where it was`()
        async throws
    {
        try await TestSite.run { site in
            try Self.add("Ana", "Ben", "Cleo", to: site.store)
            let group = try #require(GroupName("qa"))
            try site.store.changeDevices { try $0.create(group, by: "ada", at: Date()) }
            let admin = try await AdminClient.admin(site)
            let page = try await admin.get("/admin/devices?search=a&sort=-since").text
            #expect(page.contains("aria-sort=\"descending\""))
            #expect(page.contains("<option value=\"join:qa\">Add to group qa</option>"))
            let join = try await admin.send(
                Self.path,
                Self.form(
                    site,
                    "Ana",
                    "Ben",
                    and: ["do": "join:qa", "search": "a", "sort": "-since"],
                ),
            )
            #expect(join.fields["location"] == "/admin/devices?search=a&sort=-since")
            #expect(
                try await admin.flash(by: join).contains("2 devices were added to the group qa.")
            )
            #expect(try site.store.devices().members(of: group).map(\.name) == ["Ana", "Ben"])
            #expect(try site.store.activity(count: 2).map(\.event) == [.groupJoined, .groupJoined])
            let found = try await admin.get("/admin/devices?group=qa").text
            #expect(found.contains(">2 devices</p>"))
            let leave = try await admin.send(
                Self.path,
                Self.form(site, "Ana", "Cleo", and: ["do": "leave:qa"]),
            )
            #expect(try await admin.flash(by: leave).contains("Ana was removed from the group qa."))
            #expect(try site.store.devices().members(of: group).map(\.name) == ["Ben"])
        }
    }

    @Test func `selected devices are approved, added to a team, and disabled after a question`()
        async throws
    {
        try await TestSite.run { site in
            try Self.add("Ana", "Ben", to: site.store)
            let team = try #require(TeamIdentifier("ABCDE12345"))
            _ = try site.store.add(Team(team, name: "Acme", added: Date(), addedBy: "ada"))
            let admin = try await AdminClient.admin(site)
            let add = try await admin.send(
                Self.path,
                Self.form(site, "Ana", "Ben", and: ["do": "team:ABCDE12345"]),
            )
            #expect(
                try await admin.flash(by: add).contains("2 devices were added to the team Acme.")
            )
            #expect(
                try site.store.devices().devices.allSatisfy { $0.furtherTeams == ["ABCDE12345"] }
            )
            let events = try site.store.activity(count: 2)
            #expect(events.allSatisfy { $0.event == .deviceAssigned && $0.detail == "also Acme" })

            let disable = try Self.form(site, "Ana", "Ben", and: ["do": "disable"])
            let question = try await admin.send(Self.path, disable)
            #expect(question.status == 200)
            #expect(question.text.contains("Disable 2 devices?"))
            #expect(question.text.contains("Ana, Ben."))
            #expect(try site.store.devices().active.count == 2)
            let done = try await admin.send(Self.path, disable.merging(["confirmed": "1"]) { $1 })
            #expect(try await admin.flash(by: done).contains("2 devices were disabled."))
            #expect(try site.store.devices().active.isEmpty)
            #expect(
                try site.store.activity(count: 2).map(\.event) == [
                    .deviceRemoved, .deviceRemoved,
                ]
            )
            // Disabled devices join no team: all of the change is done, or none of it.
            let late = try Self.form(site, "Ana", and: ["do": "team:ABCDE12345"])
            #expect(try await admin.send(Self.path, late).status == 404)
        }
    }

    @Test func `nothing is done without a selection, an action or the right to it`() async throws {
        try await TestSite.run { site in
            try Self.add("Ana", to: site.store)
            let admin = try await AdminClient.admin(site)
            let none = try await admin.send(Self.path, ["do": "approve"])
            #expect(try await admin.flash(by: none).contains("Select devices first."))
            for action in ["", "erase", "join:", "team:x", "join:no such"] {
                let form = try Self.form(site, "Ana", and: ["do": action])
                let answer = try await admin.send(Self.path, form)
                #expect(
                    try await admin.flash(by: answer).contains("Choose what to do"),
                    "\(action)",
                )
            }
            let unknown = ["do": "disable", "confirmed": "1", "d.0123456789abcdef01234567": "1"]
            #expect(try await admin.send(Self.path, unknown).status == 404)
            let reader = try await AdminClient.admin(site, Scope(.read))
            let form = try Self.form(site, "Ana", and: ["do": "disable", "confirmed": "1"])
            #expect(try await reader.send(Self.path, form).status == 403)
            #expect(try site.store.devices().active.count == 1)
        }
    }

    @Test func `who can install a release comes in pages, those who cannot first`() async throws {
        try await TestSite.run { site in
            for number in 0..<70 { try Self.add("Phone \(number)", to: site.store) }
            let admin = try await AdminClient.admin(site)
            let path = "/admin/apps/demo-co/1.2.0-34/devices"
            let first = try await admin.get(path).text
            #expect(first.contains("1–60 of 70"))
            #expect(first.contains(">Phone 9</a>") && !first.contains(">Phone 69</a>"))
            #expect(try await admin.get(path + "?page=2").text.contains(">Phone 69</a>"))
            #expect(try await admin.get(path + "?page=3").status == 404)
            #expect(try await admin.get(path + "?show=some").status == 404)
            let filters = ["blocked", "able"].map { path + "?show=\($0)" }
            var total = 0
            for filter in filters {
                let text = try await admin.get(filter).text
                #expect(text.contains("aria-current=\"true\""))
                total += text.contains("1–60 of 70") ? 70 : 0
            }
            #expect(total == 70, "all of them can install it, or none")
        }
    }

    @Test func `apps are found by words of their names, and sorted`() async throws {
        try await TestSite.run { site in
            try TestSite.publish(
                Array("x".utf8),
                into: site.store,
                of: "com.example.other",
                at: Date() + 60,
            )
            let admin = try await AdminClient.admin(site)
            let found = try await admin.get("/admin/apps?search=OTHER%20example").text
            #expect(found.contains("com.example.other") && !found.contains("com.example.demo<"))
            #expect(found.contains("value=\"OTHER example\""))
            let recent = try await admin.get("/admin/apps?sort=recent").text
            let order = ["com.example.other<", "com.example.demo<"].map {
                recent.range(of: $0)?.lowerBound
            }
            #expect(try #require(order[0]) < #require(order[1]))
            #expect(try await admin.get("/admin/apps?search=none").text.contains("No app matches"))
            #expect(try await admin.get("/admin/apps?sort=colour").status == 404)
            #expect(try await admin.get("/admin/apps?page=2").status == 404)
        }
    }
}
