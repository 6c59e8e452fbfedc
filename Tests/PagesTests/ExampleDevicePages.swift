import Bundles
import Foundation
import Identifiers
import Pages
import Releases
import Testing

/// The admin's pages of devices and invitations.
extension ExamplePages {
    func devices(isEmpty: Bool = false) throws -> DevicesPage {
        var register = DeviceRegister()
        register.renewal = Self.now + 100 * 86_400
        let standings: [AccountSnapshot.DeviceStatus?] = [.disabled, .ineligible, .enabled]
        let entries = try zip(judged(), standings).map { entry, status in
            DevicesPage.Entry(
                device: entry.device,
                reference: "0123456789abcdef01234567",
                url: "device.html",
                atApple: AppleStanding(status, at: Self.now),
            )
        }
        for number in 0..<93 {
            try register.add(try sampleDevice(number, name: "iPhone \(number)"), at: Self.now)
        }
        var contents = DevicesPage.Contents(
            waiting: isEmpty ? [] : Array(entries.prefix(2)),
            listed: isEmpty ? [] : entries,
            total: isEmpty ? 0 : 500,
            counts: isEmpty ? [:] : [.all: 500, .enrolled: 2, .registered: 498],
            turn: isEmpty
                ? nil
                : PageTurn(number: 2, length: 50, total: 500) { "devices.html?page=\($0)" },
        )
        if !isEmpty {
            contents.waitingTotal = 120
            contents.page = 2
            contents.choices.models = ["iPhone 14 Pro", word("iPhone 15")]
            contents.choices.teams = [
                ("ABCDE12345", word("Acme")), ("FGHIJ67890", word("Other")),
            ]
            contents.choices.groups = [try #require(GroupName("qa"))]
            contents.choices.joinable = [
                Team(
                    try #require(TeamIdentifier("ABCDE12345")),
                    name: word("Acme"),
                    added: Self.now,
                    addedBy: word("ada"),
                )
            ]
            contents.differing = entries.filter(\.differs)
            contents.onlyThere = 3
            contents.counted = [AppleCount(team: nil, family: .iphone, used: 95, at: Self.now)]
        }
        return DevicesPage(
            devices: contents,
            slots: register.slots(at: Self.now),
            query: isEmpty ? DeviceQuery(search: word("Zoe")) : sorted(),
            links: try adminLinks(),
            at: Self.now,
            admin: try admin(.devices, flash: "Ana’s iPhone was approved."),
        )
    }

    private func sorted() -> DeviceQuery {
        var query = DeviceQuery(search: word("Zoe"))
        query.group = "qa"
        query.column = .since
        query.isDescending = true
        return query
    }

    func device(
        _ state: Device.State,
        atApple status: AccountSnapshot.DeviceStatus? = nil,
    ) throws -> DevicePage {
        let release = try self.release()
        var register = DeviceRegister()
        let newcomer = Newcomer(
            udid: try #require(DeviceUDID("00008120-0000000000000010")),
            name: "Ana",
            model: "iPhone15,2",
            os: OSVersion("18.1"),
            invited: Self.now - 3 * 86_400,
            by: word("ada"),
        )
        try register.enrol(newcomer, at: Self.now - 86_400)
        if state != .enrolled {
            try register.approve(newcomer.udid, at: Self.now - 3600, by: word("ada"))
        }
        if state == .registered {
            try register.markRegistered(newcomer.udid, at: Self.now - 60, by: word("ota"))
        }
        if state == .disabled { try register.disable(newcomer.udid, at: Self.now, by: word("bo")) }
        var device = try #require(register[newcomer.udid])
        device.name = word("Ana’s iPhone")
        var teams: [Team] = []
        if state == .registered {
            let (own, further) = ("ABCDE12345", "FGHIJ67890")
            teams = try [own, further, "KLMNO12345"].map { identifier in
                Team(
                    try #require(TeamIdentifier(identifier)),
                    name: word("Team") + " " + identifier.prefix(1),
                    added: Self.now,
                    addedBy: word("ada"),
                )
            }
            device.team = own
            var joined = DeviceRegister([device])
            try joined.join(
                device.udid,
                try #require(TeamIdentifier(further)),
                ownedBy: teams[0].identifier,
                at: Self.now - 60,
                by: word("ada"),
            )
            device = try #require(joined[device.udid])
        }
        let judged = try judged()
        return DevicePage(
            device: device,
            atApple: status.map { AppleStanding($0, at: Self.now) },
            offers: judged.prefix(2).enumerated().map { index, entry in
                DevicePage.Offer(
                    title: word("Browsey"),
                    channel: .stable,
                    release: release,
                    judged: entry.judged,
                    url: "release\(index).html",
                )
            },
            attempts: [
                DevicePage.Fetched(
                    attempt: InstallAttempt(
                        app: release.bundleIdentifier,
                        release: release.identifier,
                        device: nil,
                        began: Self.now - 90,
                        ended: Self.now - 60,
                        outcome: .manifestOnly,
                        sent: 0,
                    ),
                    release: word("Browsey") + " 2.4.0 (318)",
                    url: "release.html",
                )
            ],
            teams: teams,
            links: DevicePage.Links(
                devices: "devices.html",
                device: try adminLinks().pages(ofDevice: "0123456789abcdef01234567"),
            ),
            admin: try admin(.devices),
        )
    }

    func invitations() throws -> InvitationsPage {
        let entry = { (state: InvitationsPage.Entry.State, opened: Date?) in
            InvitationsPage.Entry(
                name: word("Ana’s iPhone"),
                app: state == .used ? nil : word("Browsey"),
                state: state,
                by: word("ada"),
                dates: (Self.now - 86_400, opened, Self.now + 6 * 86_400),
                places: opened == nil ? (0, 1) : (7, 50),
                groups: opened == nil ? [] : [try #require(GroupName("qa"))],
                revokeURL: "/admin/devices/invitations/4f1d0c9a83b2e675/revoke",
            )
        }
        return InvitationsPage(
            invitations: [
                try entry(.open, nil), try entry(.open, Self.now), try entry(.used, nil),
                try entry(.revoked, nil), try entry(.expired, nil),
            ],
            form: InvitationForm(
                sentTo: "/admin/devices/invitations",
                apps: [.init(value: "browsey", label: word("Browsey"), isChosen: false)],
                validities: [
                    .init(value: "1", label: "1 day", isChosen: false),
                    .init(value: "7", label: "7 days", isChosen: true),
                ],
                hasGroups: true,
            ),
            devicesURL: "devices.html",
            at: Self.now,
            admin: try admin(.devices),
        )
    }

    func invited(places: Int = 1) throws -> InvitedPage {
        let link = "https://ota.example.com/enrol/0123456789abcdefghjkmnpqrstvwxyz"
        return InvitedPage(
            tester: word("Ana’s iPhone"),
            secrets: InvitedPage.Secrets(link: link, qr: try drawing(), digits: "123 456"),
            places: places,
            codeURL: "https://ota.example.com/enrol",
            expires: Self.now + 7 * 86_400,
            invitationsURL: "invitations.html",
            admin: try admin(.devices),
        )
    }

    func deviceImport() throws -> DeviceImportPage {
        DeviceImportPage(
            links: try adminLinks(),
            typed: (word("nothing"), .ipad, true),
            problem: PageProblem(
                id: "devices.malformed-list",
                message: word("Line 1 has 1 column instead of two or three separated by tabs."),
                fix: nil,
            ),
            admin: try admin(.devices),
        )
    }

    func deviceAdd() throws -> DeviceAddPage {
        var typed = DeviceAddPage.Typed()
        typed.identifier = word("00008120-0000000000000010")
        typed.name = word("Ana’s iPhone")
        typed.model = word("iPhone15,2")
        typed.os = word("18.1")
        return DeviceAddPage(
            links: try adminLinks(),
            typed: typed,
            problem: PageProblem(
                id: "device.already-there",
                message: word("The device is already known."),
                fix: nil,
            ),
            admin: try admin(.devices),
        )
    }
}
