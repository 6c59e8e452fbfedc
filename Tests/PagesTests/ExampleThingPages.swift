import Bundles
import Foundation
import Images
import Inspection
import Pages
import Releases
import Testing

/// The admin's pages of apps, releases and devices.
extension ExamplePages {
    func thingPages() throws -> [String: String] {
        [
            "apps": try html(apps()),
            "apps-empty": try html(AppsPage(apps: [], at: Self.now, admin: admin(.apps))),
            "app": try html(app()),
            "app-reader": try html(app(isReader: true)),
            "release": try html(adminRelease()),
            "release-withdrawn": try html(withdrawnRelease()),
            "release-devices": try html(releaseDevices()),
            "notes": try html(notesPage()),
            "confirm": try html(confirm()),
            "matrix": try html(matrix()),
            "devices": try html(devices()),
            "devices-none": try html(devices(isEmpty: true)),
            "device": try html(device(.enrolled)),
            "device-disabled": try html(device(.disabled)),
            "invitations": try html(invitations()),
            "invited": try html(invited()),
            "device-import": try html(deviceImport()),
            "device-add": try html(deviceAdd()),
        ]
    }

    // MARK: Apps

    func apps() throws -> AppsPage {
        let release = try self.release()
        var old = self
        old.days = 12
        let other = try AppRecord(
            bundleIdentifier: #require(BundleIdentifier("com.vforsh.forks")),
            title: word("Forks"),
            slug: #require(Slug("forks")),
            created: Self.now,
        )
        return AppsPage(
            apps: [
                AppsPage.Entry(
                    app: try record(),
                    offers: [(.stable, release), (try beta(), try old.release())],
                    counts: (releases: 42, installs: 128),
                    url: "app.html",
                    iconURL: icon,
                ),
                AppsPage.Entry(
                    app: other,
                    offers: [],
                    counts: (releases: 0, installs: 0),
                    url: "app.html",
                    iconURL: nil,
                ),
            ],
            at: Self.now,
            admin: try admin(.apps),
        )
    }

    func app(isReader: Bool = false) throws -> AppPage {
        let release = try self.release()
        var gone = self
        gone.withdrawal = Release.Withdrawal(date: Self.now, actor: "ada", reason: word("Crashes"))
        let links = try adminLinks().pages(of: try record().slug)
        return AppPage(
            app: try record(),
            contents: AppPage.Contents(
                offers: [
                    AppPage.Offer(
                        channel: .stable,
                        release: release,
                        canInstall: 12,
                        devices: 15,
                    ),
                    AppPage.Offer(
                        channel: try beta(),
                        release: try gone.release(),
                        canInstall: 15,
                        devices: 15,
                    ),
                ],
                releases: [release, try gone.release()],
                total: 10_000,
                turn: PageTurn(number: 2, length: 30, total: 10_000) { "app.html?page=\($0)" },
            ),
            links: AppPage.Links(
                apps: "apps.html",
                admin: links,
                shown: "https://ota.example.com/apps/browsey",
                icon: icon,
                showsDevices: !isReader,
            ),
            settings: isReader
                ? nil
                : AppSettingsForm(
                    of: try record(),
                    sentTo: links.settings,
                    version: "8c1f",
                    hasPassphrase: true,
                    problem: word("The slug forks belongs to another app, or did once."),
                ),
            at: Self.now,
            admin: try admin(.apps, isReader: isReader),
        )
    }

    // MARK: A release

    func adminRelease() throws -> ReleasePage {
        var found = self
        found.findings = [
            Finding(
                id: "device.not-in-profile",
                severity: .warns,
                place: word("Payload/Browsey.app/embedded.mobileprovision"),
                message: word("3 devices of the register are not in the profile."),
                mend: word("Add them to the profile and build again."),
                appleCode: "0xe8008012",
            ),
            Finding(
                id: "lint.transport-security",
                severity: .notes,
                place: word("Payload/Browsey.app/Info.plist"),
                message: word("The app allows arbitrary loads."),
                mend: word("Name the hosts that need it."),
            ),
        ]
        return try found.releasePage()
    }

    func withdrawnRelease() throws -> ReleasePage {
        var gone = self
        gone.withdrawal = Release.Withdrawal(
            date: Self.now,
            actor: word("ada"),
            reason: word("It crashes."),
        )
        gone.days = -3
        gone.notes = ""
        gone.findings = [Self.blocking(word("It is not signed."), word("Sign it."))]
        return try gone.releasePage()
    }

    private func releasePage() throws -> ReleasePage {
        let release = try self.release()
        let links = try adminLinks().pages(of: try record().slug).release(release.identifier)
        let attempt = { (outcome: InstallAttempt.Outcome, sent: Int) in
            InstallAttempt(
                app: release.bundleIdentifier,
                release: release.identifier,
                device: nil,
                began: Self.now - 90,
                ended: Self.now - 60,
                outcome: outcome,
                sent: sent,
            )
        }
        return ReleasePage(
            subject: ReleasePage.Subject(
                app: try record(),
                release: release,
                report: try report(),
            ),
            register: ReleasePage.Register(
                devices: try judged(),
                attempts: [
                    NamedAttempt(
                        attempt: attempt(.installed, 24_812_331),
                        device: (word("Ana’s iPhone"), "device.html"),
                    ),
                    NamedAttempt(attempt: attempt(.cutShort, 7_340_032), device: nil),
                ],
                attemptTotal: 128,
                isNamed: true,
            ),
            links: ReleasePage.Links(
                app: "app.html",
                admin: links,
                shown: "https://ota.example.com/apps/browsey/2.4.0-318",
                code: withdrawal == nil ? try drawing() : nil,
                icon: icon,
            ),
            actions: ReleaseActions(for: release, of: try record(), links: links),
            at: Self.now,
            admin: try admin(.apps, told: "beta offers it now."),
        )
    }

    func releaseDevices() throws -> ReleaseDevicesPage {
        ReleaseDevicesPage(
            of: word("Browsey") + " 2.4.0 (318)",
            at: "release.html",
            devices: try judged(),
            admin: try admin(.apps),
        )
    }

    func notesPage() throws -> NotesPage {
        NotesPage(
            of: word("Browsey") + " 2.4.0 (318)",
            at: "release.html",
            sentTo: "/admin/apps/browsey/2.4.0-318/notes",
            version: "5d0a",
            markdown: notes,
            problem: word("The notes take 70000 bytes and at most 65536 are kept."),
            admin: try admin(.apps),
        )
    }

    func confirm() throws -> ConfirmPage {
        ConfirmPage(
            "Withdraw \(word("Browsey")) 2.4.0 (318)?",
            consequences: ["Nobody can install it from then on.", "It can be offered again."],
            action: MessagePage.Action(title: "Withdraw it", url: "/withdraw"),
            input: ConfirmPage.Input(
                name: "reason",
                label: "Why?",
                hint: "Testers read this.",
                limit: 500,
            ),
            cancelURL: "release.html",
            admin: try admin(.apps),
        )
    }

    func matrix() throws -> MatrixPage {
        let release = try self.release()
        let judged = try judged()
        let releases = Array(repeating: release, count: 8)
        return MatrixPage(
            app: try record(),
            releases: releases,
            devices: judged.map { entry in
                MatrixPage.Line(
                    device: entry.device,
                    url: entry.url,
                    verdicts: releases.indices.map { index in
                        index % 3 == 1 ? judged[0].judged : entry.judged
                    },
                )
            },
            links: try adminLinks().pages(of: try record().slug),
            turn: PageTurn(number: 1, length: 60, total: 500) { "matrix.html?page=\($0)" },
            at: Self.now,
            admin: try admin(.apps),
        )
    }

    // MARK: Devices

    func devices(isEmpty: Bool = false) throws -> DevicesPage {
        var register = DeviceRegister()
        register.renewal = Self.now + 100 * 86_400
        let entries = try judged().map { entry in
            DevicesPage.Entry(
                device: entry.device,
                reference: "0123456789abcdef01234567",
                url: "device.html",
            )
        }
        for number in 0..<93 {
            try register.add(try sampleDevice(number, name: "iPhone \(number)"), at: Self.now)
        }
        return DevicesPage(
            devices: DevicesPage.Contents(
                waiting: isEmpty ? [] : Array(entries.prefix(2)),
                listed: isEmpty ? [] : entries,
                total: isEmpty ? 0 : 500,
                counts: isEmpty ? [:] : [.all: 500, .enrolled: 2, .registered: 498],
                turn: isEmpty
                    ? nil
                    : PageTurn(number: 2, length: 50, total: 500) { "devices.html?page=\($0)" },
            ),
            slots: register.slots(at: Self.now),
            query: isEmpty ? DeviceQuery(search: word("Zoe")) : DeviceQuery(),
            links: try adminLinks(),
            at: Self.now,
            admin: try admin(.devices, told: "Ana’s iPhone was approved."),
        )
    }

    func device(_ state: Device.State) throws -> DevicePage {
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
        if state == .disabled { try register.disable(newcomer.udid, at: Self.now, by: word("bo")) }
        var device = try #require(register[newcomer.udid])
        device.name = word("Ana’s iPhone")
        let judged = try judged()
        return DevicePage(
            device: device,
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
                    release: word("Browsey") + " 2.4.0-318",
                    url: "release.html",
                )
            ],
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
                revokeURL: "/admin/devices/invitations/4f1d0c9a83b2e675/revoke",
            )
        }
        return InvitationsPage(
            invitations: [
                entry(.open, nil), entry(.open, Self.now), entry(.used, nil), entry(.revoked, nil),
                entry(.expired, nil),
            ],
            form: InvitationForm(
                sentTo: "/admin/devices/invitations",
                apps: [.init(value: "browsey", label: word("Browsey"), isChosen: false)],
                validities: [
                    .init(value: "1", label: "1 day", isChosen: false),
                    .init(value: "7", label: "7 days", isChosen: true),
                ],
            ),
            devicesURL: "devices.html",
            at: Self.now,
            admin: try admin(.devices),
        )
    }

    func invited() throws -> InvitedPage {
        let link = "https://ota.example.com/enrol/0123456789abcdefghjkmnpqrstvwxyz"
        return InvitedPage(
            tester: word("Ana’s iPhone"),
            secrets: InvitedPage.Secrets(link: link, qr: try drawing(), digits: "123 456"),
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
            problem: word("Line 1 has 1 columns instead of two or three separated by tabs."),
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
            problem: word("The device is in the register already."),
            admin: try admin(.devices),
        )
    }

    // MARK: Parts

    private func record() throws -> AppRecord {
        var app = try AppRecord(
            bundleIdentifier: #require(BundleIdentifier("com.vforsh.browsey")),
            title: word("Browsey"),
            slug: #require(Slug("browsey")),
            created: Self.now,
        )
        app.access = .passphrase
        app.isListed = false
        app.channels = [.stable: try release().identifier]
        app.channels[try beta()] = ReleaseIdentifier(version: "2.3.0", build: "300")
        return app
    }

    private func beta() throws -> ChannelName { try #require(ChannelName("beta")) }

    private func drawing() throws -> String {
        try QRCode(encoding: "https://ota.example.com").svg(label: "Code of this page")
    }

    private func sampleDevice(_ number: Int, name: String) throws -> Device {
        Device(
            udid: try #require(DeviceUDID("00008120-0000000000000" + String(100 + number))),
            name: name,
            family: .iphone,
            model: "iPhone15,2",
            os: OSVersion("18.1"),
            added: Self.now,
        )
    }

    /// One that cannot install a build, one that can, one of which it is not known.
    private func judged() throws -> [JudgedDevice] {
        let reason = Finding(
            id: "device.not-in-profile",
            severity: .blocks,
            place: "Payload/Browsey.app/embedded.mobileprovision",
            message: word("The device is not one of the 12 that the profile lists."),
            mend: word("Register it, add it to the profile and build again."),
            devices: [try #require(DeviceUDID("00008120-0000000000000100"))],
        )
        return [
            JudgedDevice(
                device: try sampleDevice(0, name: word("Ana’s iPhone")),
                judged: DeviceVerdict(verdict: .blocked, findings: [reason]),
                url: "device.html",
            ),
            JudgedDevice(
                device: try sampleDevice(1, name: word("Ben’s iPhone")),
                judged: DeviceVerdict(verdict: .installs, findings: []),
                url: "device.html",
            ),
            JudgedDevice(
                device: try sampleDevice(2, name: word("Cleo’s iPhone")),
                judged: DeviceVerdict(verdict: .unknown, findings: []),
                url: "device.html",
            ),
        ]
    }
}
