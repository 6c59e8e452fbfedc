import Bundles
import Cryptography
import Foundation
import Identifiers
import Pages
import Releases
import Testing

/// The admin's overview pages.
extension ExamplePages {
    static let day: TimeInterval = 86_400

    func dashboard() throws -> DashboardPage {
        var content = DashboardPage.Content()
        content.todo = [
            AttentionCard(
                tone: "accent",
                title: "2 devices to approve",
                detail: "\(word("Ana’s iPhone")) and \(word("Ben’s iPad"))",
                buttons: [
                    AttentionCard.Button(
                        "Review",
                        about: "2 devices to approve",
                        url: "/admin/devices",
                    )
                ],
            ),
            missingDevices(),
        ]
        content.installs = (0..<30).map { day in
            DashboardPage.Content.example(day)
        }
        content.recent = [
            try install(.downloaded, by: word("Ana’s iPhone"), minutes: 4),
            try install(.cutShort, by: word("Ben’s iPad"), minutes: 130),
            try install(.manifestOnly, by: nil, minutes: 3000),
        ]
        content.published = try [false, true].map { isWithdrawn in
            var pages = self
            if isWithdrawn {
                (pages.version, pages.build) = ("2.3.9", "310")
                pages.withdrawal = Release.Withdrawal(
                    date: Self.now,
                    actor: word("ada"),
                    reason: word("It crashes."),
                )
            }
            return DashboardPage.Published(
                try pages.release(),
                of: word("Browsey"),
                on: [.stable],
                installs: isWithdrawn ? 31 : 12,
                url: "/admin/apps/browsey/" + (isWithdrawn ? "2.3.9-310" : "2.4.0-318"),
                iconURL: icon,
                at: Self.now,
            )
        }
        content.slots = try slots()
        content.counts = [AppleCount(team: nil, family: .iphone, used: 32, at: Self.now)]
        content.accounts = try accounts()
        let jobs = jobLines()
        content.jobs = [jobs.running, jobs.waiting, jobs.failed]
        content.deadlines = [
            (word("Browsey Ad Hoc"), 5.0), (word("Apple Distribution"), 24), ("Widget", 143),
        ]
        .map { name, days in
            Deadline(
                name: name,
                detail: "Profile of " + word("Browsey"),
                expires: Self.now + days * Self.day,
                at: Self.now,
            )
        }
        content.activity = try activityRows().prefix(4).map { $0 }
        return DashboardPage(
            content,
            links: try adminLinks(),
            at: Self.now,
            admin: try admin(.dashboard),
        )
    }

    /// The first of many apps whose newest builds lack devices.
    private func missingDevices() -> AttentionCard {
        AttentionCard(
            tone: "warn",
            title: "37 apps are missing devices",
            detail: "Publish a new build of each app that includes its missing devices.",
            buttons: [],
            rows: ["Browsey 2.4.0", "Forks 1.0.1", "A very long title of an app 10.20.30"].map {
                AttentionCard.Row(
                    tone: "warn",
                    title: word($0),
                    detail: "3 devices: \(word("Cleo’s iPhone")) and 2 more",
                    button: AttentionCard.Button(
                        "See devices",
                        about: word($0),
                        url: "/admin/apps/browsey/2.4.0-318",
                    ),
                )
            },
            total: 37,
            restURL: "/admin/attention/missing-devices",
        )
    }

    func attention() throws -> AttentionPage {
        AttentionPage(
            missingDevices(),
            turn: PageTurn(
                number: 1,
                length: 3,
                total: 37,
                url: { "/admin/attention/missing-devices?page=\($0)" },
            ),
            links: try adminLinks(),
            admin: try admin(.dashboard),
        )
    }

    func search(finding isFound: Bool) throws -> SearchPage {
        let sections = [
            SearchPage.Section(
                "Apps",
                [
                    SearchPage.Row(
                        word("Browsey"),
                        "com.vforsh.browsey",
                        url: "/admin/apps/browsey",
                    )
                ],
                total: 31,
                allURL: "/admin/apps?search=browsey",
            ),
            SearchPage.Section(
                "Releases",
                [
                    SearchPage.Row(
                        word("Browsey") + " 2.4.0 (318)",
                        "published 3 days ago, commit 4f2a9c81d0be",
                        url: "/admin/apps/browsey/2.4.0-318",
                    )
                ],
            ),
            SearchPage.Section(
                "Devices",
                [SearchPage.Row(word("Ana’s iPhone"), "iPhone 14 Pro", url: "/admin/devices/a")],
                total: 1,
                allURL: "/admin/devices?search=browsey",
            ),
        ]
        return SearchPage(
            isFound ? word("browsey") : word("nothing of that name"),
            sections: isFound ? sections : [],
            scope: ["Apps are searched by title.", "Devices are searched by name."],
            admin: try admin(nil),
        )
    }

    func emptyDashboard() throws -> DashboardPage {
        var content = DashboardPage.Content()
        content.setup = [
            DashboardPage.SetupStep(
                1,
                "Publish a build",
                "From here, or from CI with “ota publish build.ipa”.",
                isDone: true,
                url: "publish.html",
                action: "Publish",
            ),
            DashboardPage.SetupStep(
                2,
                "Invite a tester",
                "Their device registers itself with a link or a QR code.",
                isDone: false,
                url: "invitations.html",
                action: "Invite",
            ),
        ]
        content.installs = Array(repeating: DayBars.Count(), count: 30)
        content.slots = DeviceRegister().slots(at: Self.now)
        return DashboardPage(
            content,
            links: try adminLinks(),
            at: Self.now,
            admin: try admin(.dashboard),
        )
    }

    /// An account that works, one that waits for a person, and one that no admin has permitted.
    private func accounts() throws -> [AccountRow] {
        try ["Forsh Ltd", "Example GmbH", "Third Inc"].enumerated().map { number, name in
            let key = try #require(SealingKey(bytes: Array(repeating: 7, count: 32)))
            let team = try #require(TeamIdentifier("ABCDE12345"))
            var account = TeamAccount(
                issuer: "57246542-96fe-1a63-e053-0824d011072a",
                keyID: "2X9R4HXF34",
                sealed: key.seal([1], as: .accountKey(of: team)),
                added: Self.now,
                addedBy: "ada",
            )
            if number < 2 {
                account.agreed = Self.now
                account.snapshot = AccountSnapshot(
                    date: Self.now - 7200,
                    slots: [.init(family: .iphone, used: 32), .init(family: .ipad, used: 7)],
                    devices: [],
                    unknownCount: number,
                )
            }
            if number == 1 {
                account.trouble = AccountTrouble(
                    id: "apple.agreement",
                    message: word("Your team has to accept an agreement with Apple first"),
                    fix: word("ask the Account Holder to sign in and to accept it"),
                    testerSentence: "Apple waits.",
                    needsPerson: true,
                    since: Self.now - 3600,
                )
            }
            return AccountRow(word(name), account, url: "/admin/teams", at: Self.now)
        }
    }

    private func slots() throws -> [DeviceSlots] {
        var register = DeviceRegister()
        register.renewal = Self.now + 113 * Self.day
        for number in 0..<37 {
            try register.add(
                Device(
                    udid: try #require(DeviceUDID("00008120-00000000000000" + "\(number + 10)")),
                    name: "Device \(number)",
                    family: number < 30 ? .iphone : .ipad,
                    added: Self.now,
                ),
                at: Self.now,
            )
        }
        return register.slots(at: Self.now)
    }

    static func app() throws -> BundleIdentifier {
        try #require(BundleIdentifier("com.vforsh.browsey"))
    }

    private func install(
        _ outcome: InstallAttempt.Outcome,
        by who: String?,
        minutes: Double,
    ) throws -> DashboardPage.Install {
        DashboardPage.Install(
            InstallAttempt(
                app: try Self.app(),
                release: ReleaseIdentifier(version: "2.4.0", build: "318"),
                device: nil,
                began: Self.now - minutes * 60 - 20,
                ended: Self.now - minutes * 60,
                outcome: outcome,
                sent: outcome == .manifestOnly ? 0 : 12_400_000,
            ),
            by: who,
            of: word("Browsey"),
            url: who == nil ? nil : "/admin/devices/0123456789abcdef01234567",
            at: Self.now,
        )
    }

    func activity() throws -> ActivityPage {
        let titles = [("Browsey", "browsey"), ("Pare", "pare")]
        return ActivityPage(
            try activityRows(),
            apps: try titles.map { title, slug in
                AppRecord(
                    bundleIdentifier: try Self.app(),
                    title: word(title),
                    slug: try #require(Slug(slug)),
                    created: Self.now,
                )
            },
            chosen: Slug("pare"),
            pages: (newer: "/admin/activity", older: "/admin/activity?page=3"),
            isExported: true,
            links: try adminLinks(),
            admin: try admin(.activity),
        )
    }

    private func activityRows() throws -> [ActivityRow] {
        let events: [(Activity.Event, String, String?)] = [
            (.published, "2.4.0-318", "stable"), (.deviceApproved, word("Cleo’s iPhone"), nil),
            (.deviceEnrolled, word("Cleo’s iPhone"), nil),
            (.withdrawn, "2.3.9-310", word("It crashes.")),
            (.promoted, "2.4.0-318", "stable"),
            (.deviceRenamed, word("Lab"), "was " + word("Old")),
            (.tokenCreated, word("ci"), "publish"),
        ]
        return try events.enumerated().map { number, event in
            ActivityRow(
                Activity(
                    date: Self.now - Double(number * number) * 9000,
                    actor: word("ana"),
                    event: event.0,
                    app: number.isMultiple(of: 3) ? try Self.app().rawValue : nil,
                    subject: event.1,
                    detail: event.2,
                ),
                app: number.isMultiple(of: 3) ? word("Browsey") : nil,
                url: number == 0 ? "/admin/apps/browsey/2.4.0-318" : nil,
                isFirstOfDay: [0, 3, 5].contains(number),
                at: Self.now,
            )
        }
    }
}

extension DashboardPage.Content {
    /// Counts that rise and fall like those of a team.
    fileprivate static func example(_ day: Int) -> DayBars.Count {
        let counts = [0, 3, 1, 7, 12, 2, 0, 0, 5, 9]
        return DayBars.Count(done: counts[day % 10] + day / 8, failed: day % 7 == 3 ? 2 : 0)
    }
}
