import Bundles
import Cryptography
import Foundation
import Identifiers
import Images
import Inspection
import Pages
import Releases
import Testing

/// Pages with fixed texts, except for those that a test changes.
struct ExamplePages {
    static let now = Date(timeIntervalSince1970: 1_795_000_000)

    /// Changes the texts from an IPA, its profile and its publisher.
    var word: (String) -> String = { $0 }
    var notes = "## Faster tabs\n\n- Opening a tab takes **half** the time\n- `Bonjour` works again"
    var version = "2.4.0"
    var build = "318"
    var size = 24_812_331
    var days: Double = 143
    /// Whether the history marks the version on the device; otherwise all its versions are the same one, as
    /// with equal texts.
    var marksOwn = true
    var trust = ProfileTrust.apple
    var findings: [Finding] = []
    var withdrawal: Release.Withdrawal?
    var visitor = Visitor.phone
    var audience = InstallPage.Audience.anyone
    /// Whether there are two channels to choose from.
    var hasChannels = false
    var code: String?
    var icon = "icon.png"
    var chrome = PageChrome(publicURL: { "public/" + $0 }, helpURL: "help.html")

    func install() throws -> InstallPage {
        InstallPage(
            build: InstallPage.Build(
                release: try release(),
                report: try report(),
                channel: .stable,
            ),
            links: InstallPageLinks(
                page: "https://ota.example.com/apps/browsey",
                install: InstallFolder(url: "https://ota.example.com/install/c").installLink(),
                icon: icon,
                code: code,
                history: "history.html",
                latest: "install.html",
                start: "start.html",
                events: "/events?app=browsey",
                channels: hasChannels ? try channels() : [],
            ),
            visitor: visitor,
            for: audience,
            at: Self.now,
            chrome: chrome,
        )
    }

    private func channels() throws -> [InstallChannel] {
        var next = self
        next.version = "2.5.0"
        return [
            InstallChannel(.stable, offering: try release(), at: "install.html", isCurrent: true),
            InstallChannel(
                try beta(),
                offering: try next.release(),
                at: "install.html?channel=beta",
                isCurrent: false,
            ),
        ]
    }

    /// The page alone in a folder on any web server, without `ota`.
    func standalone() throws -> InstallPage {
        InstallPage(
            build: InstallPage.Build(release: try release(), report: try report(), channel: nil),
            links: InstallPageLinks(
                page: "https://files.example.com/browsey/install.html",
                install: InstallFolder(url: "https://files.example.com/browsey").installLink(),
                icon: "icon-512.png",
                code: code,
            ),
            visitor: .other,
            at: Self.now,
            chrome: PageChrome(inlining: try Assets(), words: chrome.words),
        )
    }

    func start() throws -> StartPage {
        let icon = icon
        let entry = StartPage.Entry(
            title: word("Browsey"),
            release: try release(),
            url: "install.html",
            iconURL: icon,
        )
        return StartPage(apps: [entry], at: Self.now, chrome: chrome)
    }

    /// The list with more apps than fit on a screen, or with those that match a search.
    func startOfMany(
        matching text: String = "",
        endings: [String] = ["", " Beta"],
    ) throws -> StartPage {
        let icon = icon
        let entries = try ["Browsey", "Forks", "Kino", "Réglage", "متصفح"].enumerated().flatMap {
            (place, name) -> [StartPage.Entry] in
            var pages = self
            pages.version = "\(place + 1).0.0"
            let release = try pages.release()
            return endings.map { ending in
                StartPage.Entry(
                    title: word(name) + ending,
                    release: release,
                    url: "install.html",
                    iconURL: icon,
                )
            }
        }
        return StartPage(
            apps: entries,
            matching: text,
            searchURL: "/",
            at: Self.now,
            chrome: chrome,
        )
    }

    func startOfMember() throws -> StartPage {
        StartPage(
            apps: [],
            groupsURL: "groups.html",
            tester: (word("ana@example.com"), "/sign-out"),
            at: Self.now,
            chrome: chrome,
        )
    }

    func feedback(isRefused: Bool = false) throws -> FeedbackPage {
        FeedbackPage(
            title: word("Browsey"),
            release: ReleaseIdentifier(version: "2.4.0", build: "318"),
            sender: Feedback.Sender(
                name: isRefused ? nil : word("Ana’s iPhone"),
                model: isRefused ? nil : "iPhone 14 Pro",
                os: "18.1",
            ),
            formCode: "0123456789abcdef",
            text: isRefused ? word("It crashes") : "",
            problem: isRefused ? PageProblem("feedback.long", in: chrome.words) : nil,
            backURL: "install.html",
            chrome: chrome,
        )
    }

    func ownGroups(_ names: String...) throws -> OwnGroupsPage {
        OwnGroupsPage(
            device: word("Ana’s iPhone"),
            groups: try names.map { try #require(GroupName($0)) },
            leaveURL: "/groups/leave",
            startURL: "start.html",
            chrome: chrome,
        )
    }

    func poster(app: String? = "Browsey") throws -> PosterPage {
        PosterPage(
            app: app.map(word),
            team: app.map { _ in word("Forsh Ltd") },
            url: "https://ota.example.com/enrol/0123456789abcdefghjkmnpqrstvwxyz",
            code: try QRCode(encoding: "https://ota.example.com").svg(label: "QR"),
            expires: Self.now + 7 * 86_400,
            chrome: chrome,
        )
    }

    func empty() -> StartPage {
        StartPage(apps: [], at: Self.now, chrome: chrome)
    }

    func history() throws -> HistoryPage {
        let current = try release()
        var old = self
        if marksOwn { old.version = "2.3.0" }
        old.withdrawal = Release.Withdrawal(date: Self.now, actor: "ada", reason: word("Crashes"))
        var app = AppRecord(
            bundleIdentifier: current.bundleIdentifier,
            title: word("Browsey"),
            slug: try #require(Slug("browsey")),
            created: Self.now,
        )
        app.channels = [.stable: current.identifier]
        return HistoryPage(
            app: app,
            entries: [
                HistoryPage.Entry(release: current, url: "install.html"),
                HistoryPage.Entry(release: try old.release(), url: "withdrawn.html"),
            ],
            total: 2,
            own: marksOwn ? HistoryPage.Own(current.identifier, newer: 0) : nil,
            navigation: HistoryPage.Navigation(
                app: "install.html",
                newer: nil,
                older: "history.html",
            ),
            at: Self.now,
            chrome: chrome,
        )
    }

    func trustPage() -> TrustPage {
        TrustPage(
            profileURL: "authority.mobileconfig",
            startURL: "start.html",
            authority: word("ota development authority of mac-mini"),
            fingerprint: Array(repeating: "AB", count: 32).joined(separator: " "),
            chrome: chrome,
        )
    }

    func message() -> MessagePage {
        MessagePage(
            status: "404",
            title: word("There is nothing here"),
            message: word("The link may be old."),
            action: MessagePage.Action(title: "All apps", url: "start.html"),
            chrome: chrome,
        )
    }

    func enrol(refused: Bool = false) -> EnrolPage {
        EnrolPage(
            actionURL: "/enrol",
            problem: refused
                ? PageProblem(
                    id: "invitation.wrong-code",
                    message: word("The code is not one of an open invitation."),
                    fix: word("Ask your team for a new one."),
                ) : nil,
            chrome: chrome,
        )
    }

    func invitation(
        team: String? = "Forsh Ltd",
        isForMany: Bool = false,
        refusing name: String? = nil,
    ) -> InvitationPage {
        InvitationPage(
            tester: isForMany ? nil : word("Ana’s iPhone"),
            team: team.map(word),
            expires: Self.now + 7 * 86_400,
            at: Self.now,
            links: InvitationLinks(
                page: "https://ota.example.com/enrol/0123456789abcdefghjkmnpqrstvwxyz",
                profile: "profile.mobileconfig",
                code: code,
            ),
            refusing: name.map(word),
            visitor: visitor,
            chrome: chrome,
        )
    }

    func enrolled(
        _ outcome: EnrolledPage.Outcome,
        way: DeviceSteps? = nil,
    ) -> EnrolledPage {
        var device: String? = word("iPhone 14 Pro")
        if case .refused = outcome { device = nil }
        return EnrolledPage(
            outcome,
            device: device,
            way: way,
            goingTo: device.map { _ in
                MessagePage.Action(
                    title: (way?.isReady == true ? "Install " : "Go to ") + word("Browsey"),
                    url: "install.html",
                )
            },
            eventsURL: way == nil ? nil : "/events?device=own&for=browsey",
            chrome: chrome,
        )
    }

    func signIn(refused: Bool = false, byProvider: Bool = false) -> SignInPage {
        SignInPage(
            actionURL: "/admin/sign-in",
            destination: "/admin",
            problem: refused
                ? PageProblem(
                    id: "token.none",
                    message: word("This token is not valid."),
                    fix: word("It may be cut short, revoked or at its end."),
                ) : nil,
            onward: refused ? "/admin" : nil,
            provider: byProvider ? (word("Example ID"), "/sign-in") : nil,
            styleURL: "public/admin.css",
            chrome: chrome,
        )
    }

    func refusal() -> EnrolledPage.Outcome {
        .refused(
            PageProblem(
                id: "invitation.used",
                message: word("The invitation was used by another device."),
                fix: word("Ask your team for an invitation of your own."),
            )
        )
    }

    func release() throws -> Release {
        let digest = SHA256Digest(of: Array("archive".utf8))
        var release = Release(
            report: try report(),
            identity: Release.Identity(
                bundleIdentifier: try #require(BundleIdentifier("com.vforsh.browsey")),
                name: word("Browsey"),
                version: word(version),
                build: word(build),
                families: [.phone, .pad],
            ),
            artifact: Release.Artifact(
                sha256: digest,
                size: size,
                chunks: Release.ChunkDigests(size: 10 << 20, digests: [digest]),
                icons: Release.Icons(small: digest, large: digest),
                report: digest,
            ),
            publication: Release.Publication(
                date: Self.now - 2 * 86_400,
                publisher: word("ci"),
                channel: .stable,
                notes: notes,
                tag: word("v2.4.0"),
                commit: word("0123456789abcdef0123456789abcdef01234567"),
                origin: BuildOrigin(
                    repository: "https://github.com/vforsh/browsey.git",
                    pipeline: "vforsh/browsey/.github/workflows/publish.yml@refs/tags/v2.4.0",
                    builder: "https://github.com/actions",
                    run: "https://github.com/vforsh/browsey/actions/runs/4711",
                ),
            ),
        )
        release.publishedProvenance = digest
        release.withdrawal = withdrawal
        return release
    }

    func report() throws -> InspectionReport {
        let expiry = Self.now + days * 86_400
        let profile = ProfileSummary(
            uuid: "AB",
            name: word("Browsey Ad Hoc"),
            type: .adHoc,
            team: "ABCDE12345",
            teamName: word("Forsh Ltd"),
            applicationIdentifier: "ABCDE12345.com.vforsh.browsey",
            created: Self.now,
            expires: expiry,
            devices: (0..<12).compactMap {
                DeviceUDID("00008120-00000000000000" + String($0 + 10))
            },
            trust: trust,
            certificates: [],
        )
        return InspectionReport(
            identity: AppIdentity(
                bundleIdentifier: BundleIdentifier("com.vforsh.browsey"),
                name: word("Browsey"),
                version: word(version),
                build: word(build),
                minimumOS: word("16.0"),
                families: ["iphone", "ipad"],
                size: size,
                sha256: SHA256Digest(of: Array("archive".utf8)),
                path: "Payload/Browsey.app",
            ),
            profile: profile,
            nested: [],
            findings: findings,
            inspected: Self.now,
            installsUntil: expiry,
        )
    }
}

extension ExamplePages {
    private static let renderer = Result {
        try PageRenderer(assets: Assets(), catalogues: ExampleLanguages.catalogues.get())
    }

    func html(_ page: some Page) throws -> String {
        try Self.renderer.get().html(page)
    }

    static func blocking(_ message: String, _ fix: String) -> Finding {
        Finding(
            id: "signature.absent",
            severity: .blocks,
            place: "Payload/Browsey.app",
            message: message,
            fix: fix,
        )
    }
}
