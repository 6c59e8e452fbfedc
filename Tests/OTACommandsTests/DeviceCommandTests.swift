import Foundation
import Sample
import TestSupport
import Testing

/// The subcommands of `ota devices`.
@Suite(.timeLimit(.minutes(10)))
struct DeviceCommandTests {
    private let one = SampleDevices.list(3)[1]
    private let two = SampleDevices.list(3)[2]

    @Test func `the list has the keys that scripts rely on`() async throws {
        try await Workplace.run { place in
            _ = try await place.json(
                "devices",
                "add",
                one,
                "--name",
                "Ana's iPhone",
                "--model",
                "iPhone15,2",
                "--os",
                "18.1",
            )
            _ = try await place.json("devices", "add", two, "--family", "ipad")
            let list = try await place.json("devices", "list")
            #expect(list["devices"].items.count == 2)
            for device in list["devices"].items {
                #expect(
                    device.keys.isSuperset(of: [
                        "udid", "name", "family", "model", "os", "state", "added",
                    ])
                )
            }
            let ana = try #require(
                list["devices"].items.first { $0["name"].string == "Ana's iPhone" }
            )
            #expect(ana["udid"].string?.lowercased() == one.lowercased())
            #expect(ana["family"].string == "iphone")
            #expect(ana["model"].string == "iPhone15,2")
            #expect(ana["os"].string == "18.1")
            for slot in list["slots"].items {
                #expect(slot.keys.isSuperset(of: ["family", "used", "limit", "resets"]))
                #expect(slot["limit"].number == 100)
            }
            let used = list["slots"].items.filter { $0["used"].number == 1 }
            #expect(Set(used.compactMap(\.["family"].string)) == ["iphone", "ipad"])
        }
    }

    @Test func `a device belongs to the team that is named`() async throws {
        try await Workplace.run { place in
            let (acme, other) = ("ABCDE12345", "OTHER67890")
            for team in [acme, other] {
                _ = try await place.json("teams", "add", team, "--name", team)
            }
            let unknown = try await place.refusal("devices", "add", one, "--team", "NOBODY1234")
            #expect(unknown["id"].string == "team.unknown")
            _ = try await place.json("devices", "add", one, "--team", acme)
            #expect(try Self.teams(in: place) == [acme])
            _ = try await place.json("devices", "rename", one, "--team", other)
            #expect(try Self.teams(in: place) == [other])
            let shown = try await place.json("devices", "show", one)
            #expect(shown["device"]["team"].string == other)
            #expect(try await place.ota("devices", "show", one).output.contains("team \(other)"))
            // With only one team, the list has no team column.
            #expect(!(try await place.ota("devices", "list").output.contains("TEAM")))
            _ = try await place.json("devices", "add", two, "--team", acme)
            let list = try await place.ota("devices", "list").output
            #expect(list.contains("TEAM") && list.contains(acme) && list.contains(other))
        }
    }

    // Options: devices rename: add-team remove-team
    @Test func `a device takes a slot in each further team until it leaves`() async throws {
        try await Workplace.run { place in
            let (acme, other) = ("ABCDE12345", "OTHER67890")
            for team in [acme, other] {
                _ = try await place.json("teams", "add", team, "--name", team)
            }
            _ = try await place.json("devices", "add", one, "--team", acme)
            let unknown = try await place.refusal(
                "devices",
                "rename",
                one,
                "--add-team",
                "NOBODY1234",
            )
            #expect(unknown["id"].string == "team.unknown")
            let own = try await place.refusal("devices", "rename", one, "--add-team", acme)
            #expect(own["id"].string == "device.already-in-team")
            let joined = try await place.json("devices", "rename", one, "--add-team", other)
            #expect(joined["device"]["furtherTeams"].items.first?["team"].string == other)
            #expect(joined["device"]["furtherTeams"].items.first?["state"].string == "approved")
            #expect(
                try await place.ota("devices", "show", one).output.contains("also in team \(other)")
            )
            #expect(try await place.ota("devices", "list").output.contains("\(acme), \(other)"))
            for team in [acme, other] {
                let listed = try await place.json("devices", "list", "--team", team)
                #expect(listed["devices"].items.count == 1)
                #expect(listed["slots"].items.first?["used"].number == 1)
                let export = try await place.ota("devices", "export", "--team", team).output
                #expect(export.contains(one))
            }
            let left = try await place.json("devices", "rename", one, "--remove-team", other)
            #expect(left["device"]["furtherTeams"] == .null)
            let again = try await place.refusal("devices", "rename", one, "--remove-team", other)
            #expect(again["id"].string == "device.not-in-team")
            // As at Apple, the slot stays used until the membership renews.
            let slots = try await place.json("devices", "slots")
            let used = slots["slots"].items.first {
                $0["team"].string == other && $0["family"].string == "iphone"
            }
            #expect(used?["used"].number == 1)
        }
    }

    @Test func `several devices are disabled and added to a team, all of them or none`()
        async throws
    {
        try await Workplace.run { place in
            let team = "ABCDE12345"
            _ = try await place.json("teams", "add", team, "--name", "Acme")
            for udid in [one, two] { _ = try await place.json("devices", "add", udid) }
            let strange = SampleDevices.list(3)[0]
            for words in [["assign", team, one, strange], ["disable", one, strange]] {
                #expect(try await place.ota(["devices"] + words).status == 1)
            }
            let joined = try await place.json("devices", "assign", team, one, two)
            #expect(joined["devices"].items.count == 2)
            let further = joined["devices"].items.map { $0["furtherTeams"].items.first }
            #expect(further.allSatisfy { $0?["team"].string == team })
            let again = try await place.ota("devices", "assign", team, one, two)
            #expect(again.output.contains("all of them were already in it"))
            let disabled = try await place.json("devices", "disable", one, two)
            #expect(disabled["devices"].items.allSatisfy { $0["state"].string == "disabled" })
            #expect(
                try await place.ota("devices", "disable", one).output.contains("already were")
            )
            #expect(try await place.ota("devices", "disable").status == 64)
        }
    }

    // Options: devices list: state family sort
    @Test func `the list shows the devices of one state or family, in the order that is asked for`()
        async throws
    {
        try await Workplace.run { place in
            let names = ["iPad 49", "iPad 5", "Älva"]
            for (udid, name) in zip(SampleDevices.list(3), names) {
                let family = name.hasPrefix("iPad") ? "ipad" : "iphone"
                _ = try await place.json(
                    ["devices", "add", udid, "--name", name, "--family", family]
                )
            }
            _ = try await place.json("devices", "disable", SampleDevices.list(3)[0])
            func listed(_ words: String...) async throws -> [String?] {
                try await place.json(["devices", "list"] + words)["devices"].items
                    .map { $0["name"].string }
            }
            #expect(try await listed("--sort", "name", "--all") == ["Älva", "iPad 5", "iPad 49"])
            #expect(try await listed("--state", "disabled") == ["iPad 49"])
            #expect(try await listed("--family", "ipad") == ["iPad 5"])
            #expect(try await listed("--state", "pending").isEmpty)
            let text = try await place.ota("devices", "list").output
            #expect(text.contains("not yet at Apple"))
        }
    }

    // Options: devices list|export|import: team
    @Test func `with --team only the devices of one team are listed, exported and imported`()
        async throws
    {
        try await Workplace.run { place in
            let (acme, other) = ("ABCDE12345", "OTHER67890")
            // Without teams, a device belongs to none.
            let early = try await place.refusal("devices", "add", one, "--team", acme)
            #expect(early["id"].string == "team.unknown")
            #expect(early["fix"].string?.contains("`ota teams add`") == true)
            for team in [acme, other] {
                _ = try await place.json("teams", "add", team, "--name", "Team \(team)")
            }
            let added = try await place.ota("devices", "add", one, "--team", acme)
            #expect(added.output.contains("1 of 100 iPhone slots of the team Team \(acme) used"))
            let list = "Device ID\tDevice Name\tDevice Platform\n\(two)\tBen\tios\n"
            let nobody = ["devices", "import", "-", "--team", "NOBODY1234"]
            #expect(try await place.ota(nobody, input: list).status != 0)
            let words = ["devices", "import", "-", "--team", other]
            #expect(try await place.ota(words, input: list).status == 0)
            #expect(try Self.teams(in: place) == [acme, other])
            for (team, udid) in [(acme, one), (other, two)] {
                let listed = try await place.json("devices", "list", "--team", team)
                #expect(listed["devices"].items.map(\.["team"].string) == [team])
                #expect(listed["slots"].items.allSatisfy { $0["team"].string == team })
                let exported = try await place.ota("devices", "export", "--team", team).output
                #expect(exported.lowercased().contains(udid.lowercased()))
                #expect(exported.split(separator: "\n").count == 2, "\(exported)")
            }
            let renamed = try await place.ota("devices", "rename", one, "--team", "none")
            #expect(renamed.output.contains("has no team assigned"), "\(renamed.errors)")
            #expect(try await place.json("devices", "show", one)["device"]["team"].string == nil)
            let acmes = try await place.json("devices", "list", "--team", acme)
            #expect(acmes["devices"].items.isEmpty)
        }
    }

    @Test func `the membership of a team renews on its own day`() async throws {
        try await Workplace.run { place in
            let (acme, other) = ("ABCDE12345", "OTHER67890")
            for (team, udid) in [(acme, one), (other, two)] {
                _ = try await place.json("teams", "add", team, "--name", team)
                _ = try await place.json("devices", "add", udid, "--team", team)
            }
            let unknown = try await place.refusal(
                "devices",
                "slots",
                "--renews",
                "2027-03-14",
                "--team",
                "NOBODY1234",
            )
            #expect(unknown["id"].string == "team.unknown")
            _ = try await place.json("devices", "slots", "--renews", "2027-03-14", "--team", acme)
            let slots = try await place.json("devices", "slots", "--renews", "2027-05-01")
            let days = Set(
                slots["slots"].items.map { slot in
                    "\(slot["team"].string ?? "none") \(slot["resets"].string?.dropFirst(5).prefix(5) ?? "")"
                }
            )
            #expect(days == ["\(acme) 03-14", "\(other) ", "none 05-01"])
            #expect(try await place.ota("devices", "slots").output.contains("team \(acme)"))
            let alone = try await place.ota("devices", "slots", "--team", acme)
            #expect(alone.status == 64)
        }
    }

    /// The teams in whose accounts the devices take slots.
    private static func teams(in place: Workplace) throws -> [String?] {
        let file = place.folder.appending(path: "ota-store/devices.json")
        return try JSON(String(contentsOf: file, encoding: .utf8))["devices"].items
            .map { $0["team"].string }
    }

    @Test func `a device is shown, renamed, taken out of use and erased`() async throws {
        try await Workplace.run { place in
            _ = try await place.json("devices", "add", one, "--name", "first")
            _ = try await place.json("devices", "rename", one.lowercased(), "second")
            let shown = try await place.json("devices", "show", one)
            #expect(shown["device"]["name"].string == "second")
            let removed = try await place.json("devices", "remove", one)
            #expect(removed["device"]["state"].string == "disabled")
            #expect(try await place.json("devices", "list")["devices"].items.isEmpty)
            let all = try await place.json("devices", "list", "--all")
            #expect(all["devices"].items.count == 1)
            let slots = try await place.json("devices", "slots")
            #expect(slots["slots"].items.first?["used"].number == 1, "its slot stays used")
            _ = try await place.json("devices", "remove", one, "--forget")
            let gone = try await place.refusal("devices", "show", one)
            #expect(gone["id"].string == "device.unknown")
        }
    }

    @Test func `what is there or is no identifier is refused`() async throws {
        try await Workplace.run { place in
            _ = try await place.json("devices", "add", one)
            let twice = try await place.refusal("devices", "add", one.lowercased())
            #expect(twice["id"].string == "device.already-there")
            let wrong = try await place.ota("devices", "add", "not-a-udid")
            #expect(wrong.status == 64)
            let unknown = try await place.refusal("devices", "remove", two)
            #expect(unknown["id"].string == "device.unknown")
        }
    }

    @Test func `a list goes out as Apple takes it and comes back the same`() async throws {
        try await Workplace.run { place in
            let lines = SampleDevices.list(5).enumerated().map { "\($1)\tPhone \($0)\tios" }
            let list = (["Device ID\tDevice Name\tDevice Platform"] + lines).joined(separator: "\n")
            try place.write(list + "\n", to: "devices.txt")
            let first = try await place.json("devices", "import", "devices.txt")
            #expect(first["added"].number == 5)
            let again = try await place.json("devices", "import", "-", input: list)
            #expect(again["added"].number == 0)
            #expect(again["known"].number == 5)
            let exported = try await place.ota("devices", "export")
            #expect(exported.status == 0)
            #expect(exported.output.lowercased() == (list + "\n").lowercased())
            let broken = list.replacing("\t", with: "    ")
            try place.write(broken, to: "spaces.txt")
            let refused = try await place.refusal("devices", "import", "spaces.txt")
            #expect(refused["id"].string == "devices.malformed-list")
        }
    }

    @Test func `the hundred and first device is refused, with the day that frees slots`()
        async throws
    {
        try await Workplace.run { place in
            let rows = SampleDevices.list(100).enumerated().map { "\($1)\tPhone \($0)\tios" }
            let list = (["Device ID\tDevice Name\tDevice Platform"] + rows).joined(separator: "\n")
            let imported = try await place.json("devices", "import", "-", input: list)
            #expect(imported["added"].number == 100)
            let refused = try await place.refusal("devices", "add", SampleDevices.unlisted)
            #expect(refused["id"].string == "device.no-slot")
            _ = try await place.json("devices", "remove", SampleDevices.list(100)[99])
            let still = try await place.refusal("devices", "add", SampleDevices.unlisted)
            #expect(still["id"].string == "device.no-slot", "a disabled device keeps its slot")
            let pad = try await place.json(
                "devices",
                "add",
                SampleDevices.unlisted,
                "--family",
                "ipad",
            )
            #expect(pad["device"]["family"].string == "ipad")
            let slots = try await place.json("devices", "slots", "--renews", "2027-03-14")
            #expect(slots["slots"].items.first?["resets"].string?.contains("-03-14T") == true)
        }
    }

    @Test func `check says who can install a build`() async throws {
        try await Workplace.run { place in
            try place.build()
            _ = try await place.json("devices", "add", one, "--name", "listed")
            _ = try await place.json("devices", "add", SampleDevices.unlisted, "--name", "other")
            let file = try await place.json(
                "devices",
                "check",
                "build.ipa",
                "--trusted-ca",
                "anchor.pem",
            )
            #expect(verdicts(file) == ["listed": "installs", "other": "blocked"])
            _ = try await place.json("publish", "build.ipa", "--trusted-ca", "anchor.pem")
            let release = try await place.json("devices", "check", "browsey")
            #expect(verdicts(release) == ["listed": "installs", "other": "blocked"])
            let other = release["devices"].items.first { $0["name"].string == "other" }
            #expect(other?["reasons"].items.map(\.string) == ["device.not-in-profile"])
        }
    }

    private func verdicts(_ checked: JSON) -> [String: String] {
        checked["devices"].items.reduce(into: [:]) { found, device in
            found[device["name"].string ?? ""] = device["verdict"].string
        }
    }
}
