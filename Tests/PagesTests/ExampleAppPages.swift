import Bundles
import Cryptography
import Foundation
import Identifiers
import Inspection
import Pages
import Releases
import Testing

/// The admin's pages of apps and of their releases.
extension ExamplePages {
    func apps(isSearched: Bool = false) throws -> AppsPage {
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
            part: isSearched
                ? AppsPage.Part(
                    of: AppsQuery(search: word("Zoe"), order: .recent),
                    found: 130,
                    turn: PageTurn(number: 2, length: 60, total: 130) { "apps.html?page=\($0)" },
                    links: try adminLinks(),
                ) : nil,
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
            versions: VersionsInUse(
                (0..<12).map { number in
                    InstallAttempt(
                        app: release.bundleIdentifier,
                        release: number < 9
                            ? release.identifier
                            : ReleaseIdentifier(version: "2.3.0", build: "300"),
                        device: "\(number)",
                        began: Self.now - 90,
                        ended: Self.now - 60,
                        outcome: .downloaded,
                        sent: 1000,
                    )
                },
                url: { $0 == release.identifier ? "release.html" : nil },
            ),
            settings: isReader
                ? nil
                : AppSettingsForm(
                    of: try record(),
                    sentTo: links.settings,
                    version: "8c1f",
                    hasPassphrase: true,
                    problem: PageProblem(
                        id: "app.slug-taken",
                        message: word("The slug forks belongs or belonged to another app."),
                        fix: nil,
                    ),
                ),
            at: Self.now,
            admin: try admin(.apps, isReader: isReader),
        )
    }

    // MARK: A release

    func adminRelease(with history: ReleaseHistory) throws -> ReleasePage {
        try releasePage(with: history)
    }

    func adminRelease() throws -> ReleasePage {
        var found = self
        found.findings = [
            Finding(
                id: "device.not-in-profile",
                severity: .warns,
                place: word("Payload/Browsey.app/embedded.mobileprovision"),
                message: word("3 devices of the register are not in the profile."),
                fix: word("Add them to the profile and build again."),
                appleCode: "0xe8008012",
            ),
            Finding(
                id: "lint.transport-security",
                severity: .notes,
                place: word("Payload/Browsey.app/Info.plist"),
                message: word("The app allows arbitrary loads."),
                fix: word("Name the hosts that need it."),
            ),
        ]
        return try found.releasePage()
    }

    /// A release that was re-signed twice.
    func signedRelease() throws -> ReleasePage {
        let digests = (0..<2).map { SHA256Digest(of: Array("signed \($0)".utf8)) }
        var release = try self.release()
        let report = try report()
        for (number, digest) in digests.enumerated() {
            release = release.signed(
                as: Release.Signing(
                    Release.Artifact(
                        sha256: digest,
                        size: 24_900_000,
                        chunks: .init(size: 24_900_000, digests: [digest]),
                        icons: release.icons,
                        report: digest,
                    ),
                    report: report,
                    from: release.original.sha256,
                    date: Self.now - Double(2 - number) * 3600,
                    by: "ota",
                    reason: word("2 devices joined"),
                )
            )
        }
        let reach = { (change: (gained: Int, lost: Int)?, count: Int) in
            SigningReach(
                profile: word("Browsey Ad Hoc"),
                expires: Self.now + 300 * 86_400,
                count: count,
                names: [word("Ana’s iPhone"), word("Ben’s iPhone")],
                change: change,
            )
        }
        return try releasePage(
            release,
            reach: [
                release.original.sha256: reach(nil, 10), digests[0]: reach((2, 0), 12),
                digests[1]: reach((1, 1), 2),
            ],
        )
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

    private func releasePage(
        _ signed: Release? = nil,
        reach: [SHA256Digest: SigningReach] = [:],
        with history: ReleaseHistory? = nil,
    ) throws -> ReleasePage {
        var release = try signed ?? self.release()
        if signed != nil { release.symbols = try symbols() }
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
                reach: reach,
            ),
            register: ReleasePage.Register(
                canInstall: 1,
                devices: 3,
                blocked: try judged().filter { !$0.canInstall },
                attempts: [
                    NamedAttempt(
                        attempt: attempt(.downloaded, 24_812_331),
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
            symbols: SymbolsCard(
                of: release,
                app: "browsey",
                links: links,
                code: "4f2a",
                isPublisher: true,
            ),
            history: try history ?? (signed == nil ? self.history(of: release) : nil),
            at: Self.now,
            admin: try admin(.apps, flash: "Browsey 2.4.0 (318) is now on beta."),
        )
    }

    func releaseDevices() throws -> ReleaseDevicesPage {
        ReleaseDevicesPage(
            of: word("Browsey") + " 2.4.0 (318)",
            at: "release.html",
            coverage: DeviceIndex.Coverage(able: Array(0..<90), blocked: Array(90..<200)),
            devices: try judged(),
            show: .blocked,
            turn: PageTurn(number: 4, length: 60, total: 540) { "devices.html?page=\($0)" },
            pageURL: { $0 == .all ? "devices.html" : "devices.html?show=\($0.rawValue)" },
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
            problem: PageProblem(
                id: "publish.notes-too-long",
                message: word("The notes are 70,000 bytes long, and the limit is 65,536."),
                fix: nil,
            ),
            admin: try admin(.apps),
        )
    }

    func confirm() throws -> ConfirmPage {
        ConfirmPage(
            "Withdraw \(word("Browsey")) 2.4.0 (318)?",
            consequences: ["No one can install it any more.", "You can restore it later."],
            action: MessagePage.Action(title: "Withdraw", url: "/withdraw"),
            input: ConfirmPage.Input(
                name: "reason",
                label: "Why?",
                hint: "Shown to testers.",
                limit: 500,
            ),
            cancelURL: "release.html",
            admin: try admin(.apps),
        )
    }

    func matrix(
        turn: PageTurn? = PageTurn(number: 1, length: 60, total: 500) { "matrix.html?page=\($0)" }
    ) throws -> MatrixPage {
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
            filters: [.all: 500, .problems: 12],
            show: .problems,
            links: try adminLinks().pages(of: try record().slug),
            turn: turn,
            pageURL: { $0 == .all ? "matrix.html" : "matrix.html?show=problems" },
            at: Self.now,
            admin: try admin(.apps),
        )
    }
}
