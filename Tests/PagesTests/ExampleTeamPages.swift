import Bundles
import Foundation
import Identifiers
import Pages
import Releases
import Testing

/// The admin's pages of a team's profiles, tokens and webhooks.
extension ExamplePages {
    func profiles(isEmpty: Bool = false) throws -> ProfilesPage {
        let entries: [(String, String, Double, Double, Bool)] = [
            ("Browsey Ad Hoc", "Ad Hoc profile", -340, 5, true),
            ("Browsey Widget", "Ad Hoc profile", -340, 24, true),
            ("Apple Distribution: Forsh Ltd (ABCDE12345)", "Certificate", -120, 245, true),
            ("Pare Ad Hoc", "Ad Hoc profile", -22, 343, true),
            ("Browsey Ad Hoc 2025", "Ad Hoc profile", -700, -40, false),
        ]
        return ProfilesPage(
            isEmpty
                ? []
                : entries.map { name, kind, begins, ends, isInUse in
                    ProfilesPage.Entry(
                        name: word(name),
                        kind: kind,
                        team: word("Forsh Ltd"),
                        begins: Self.now + begins * Self.day,
                        expires: Self.now + ends * Self.day,
                        uses: [
                            ProfilesPage.Use(
                                title: word("Browsey") + " 2.4.0 (318)"
                                    + (isInUse ? " on stable" : ""),
                                bundle: word("Payload/Browsey.app"),
                                url: "/admin/apps/browsey/2.4.0-318",
                            )
                        ],
                        isInUse: isInUse,
                    )
                },
            at: Self.now,
            admin: try admin(.profiles),
        )
    }

    func tokens(isRefused: Bool = false, made: Bool = false) throws -> TokensPage {
        TokensPage(
            [
                try token("ci", ["publish, " + word("Browsey") + " only"], expires: 12),
                try token("ana", ["full access"], expires: 80, isOwn: true),
                try token("old", ["read"], expires: -3),
            ],
            apps: [
                AppRecord(
                    bundleIdentifier: try Self.app(),
                    title: word("Browsey"),
                    slug: try #require(Slug("browsey")),
                    created: Self.now,
                )
            ],
            links: try adminLinks(),
            draft: isRefused
                ? TokensPage.Draft(
                    name: word("ci"),
                    app: try Self.app().rawValue,
                    days: 30,
                    problem: PageProblem(
                        id: "token.name-taken",
                        message: word("There is already a token named “ci”."),
                        fix: nil,
                    ),
                ) : TokensPage.Draft(),
            made: made
                ? TokensPage.Made(
                    name: word("ci"),
                    secret: "ota_01234567_" + String(repeating: "0123456789abcdef", count: 4),
                ) : nil,
            at: Self.now,
            admin: try admin(.tokens),
        )
    }

    private func token(
        _ name: String,
        _ scopes: [String],
        expires days: Double,
        isOwn: Bool = false,
    ) throws -> TokensPage.Entry {
        let identifier = "0123456" + "\(abs(Int(days)) % 10)"
        let links = try adminLinks()
        return TokensPage.Entry(
            identifier: identifier,
            name: word(name),
            scopes: scopes,
            created: Self.now - 10 * Self.day,
            end: (expires: Self.now + days * Self.day, revoked: nil),
            isOwn: isOwn,
            isOver: days < 0,
            buttons: [
                ActionButton(
                    "Revoke",
                    label: "Revoke \(word(name))",
                    url: isOwn ? links.signOutEverywhere : links.token(identifier) + "/revoke",
                    code: try admin(.tokens).code,
                    confirmation: isOwn
                        ? "You are signed in with this token; revoking it signs you out everywhere."
                        : "It stops working at once.",
                    isBad: true,
                )
            ],
        )
    }

    func notices(isEmpty: Bool = false, made: Bool = false) throws -> NoticesPage {
        var form = NoticesPage.Form()
        form.kinds = [
            NoticesPage.Choice(value: "slack", title: "Slack", isChosen: true),
            NoticesPage.Choice(value: "json", title: "JSON, signed", isChosen: false),
        ]
        form.events = [
            ("expiring", "something expires soon"), ("expired", "something has expired"),
        ]
        .map { NoticesPage.Choice(value: "event." + $0, title: $1, isChosen: true) }
        form.apps = [
            NoticesPage.Choice(
                value: try Self.app().rawValue,
                title: word("Browsey"),
                isChosen: false,
            )
        ]
        if !isEmpty, !made {
            form.url = word("http://hooks.example.com")
            form.problem = PageProblem(
                id: "webhook.not-secure",
                message: word("It is without TLS."),
                fix: "Give an https:// URL.",
            )
        }
        return NoticesPage(
            isEmpty ? [] : try webhooks(),
            form: form,
            links: try adminLinks(),
            made: made
                ? NoticesPage.Made(
                    name: word("https://ci.example.com/…"),
                    secret: String(repeating: "0123456789abcdef", count: 4),
                ) : nil,
            admin: try admin(.notices),
        )
    }

    /// A webhook that works, one that fails, a new one, and a paused one.
    private func webhooks() throws -> [NoticesPage.Entry] {
        let deliveries = [
            ("Browsey expires in 5 days", true), ("Browsey was published", false),
        ]
        .map { title, isGood in
            NoticesPage.Delivered(
                title: word(title),
                outcome: isGood ? "delivered" : "given up: " + word("HTTP 500"),
                isGood: isGood,
                date: Self.now - 7200,
                at: Self.now,
            )
        }
        let since = "since " + Wording.moment(Self.now - 3000)
        return [
            try entry("01234567", at: "hooks", ["delivered 2 hours ago"], deliveries: deliveries),
            try entry(
                "456789ab",
                at: "chat",
                ["failing \(since)", word("HTTP 500"), "14 queued", "next attempt in 6 minutes"],
                tone: "bad",
                verbs: ["retry", "test", "pause"],
            ),
            try entry(
                "89abcdef",
                at: "ci",
                kind: "JSON, signed",
                subjects: "a release was published about " + word("Browsey"),
                ["nothing sent yet"],
            ),
            try entry(
                "cdef0123",
                at: "paused",
                ["paused \(since)", "2 queued"],
                tone: "warn",
                verbs: ["resume"],
            ),
        ]
    }

    private func entry(
        _ identifier: String,
        at host: String,
        kind: String = "Slack",
        subjects: String = "everything",
        _ state: [String],
        tone: String? = nil,
        verbs: [String] = ["test", "pause"],
        deliveries: [NoticesPage.Delivered] = [],
    ) throws -> NoticesPage.Entry {
        let address = word("https://\(host).example.com/…")
        let url = try adminLinks().webhook(identifier)
        let code = try admin(.notices).code
        let pausing =
            "Nothing is sent until you resume it. Events during the pause are not sent "
            + "later; messages that are already queued are."
        let removing = "It receives no further messages, and its queued messages are dropped."
        let buttons: [(verb: String, title: String, label: String, confirmation: String?)] = [
            ("retry", "Retry now", "Retry \(address) now", nil),
            ("test", "Send test", "Send a test to \(address)", nil),
            ("pause", "Pause", "Pause \(address)", pausing),
            ("resume", "Resume", "Resume \(address)", nil),
            ("remove", "Remove", "Remove \(address)", removing),
        ]
        return NoticesPage.Entry(
            address: address,
            kind: kind,
            subjects: subjects,
            state: state,
            stateTone: tone,
            buttons: buttons.filter { (verbs + ["remove"]).contains($0.verb) }.map { button in
                ActionButton(
                    button.title,
                    label: button.label,
                    url: url + "/" + button.verb,
                    code: code,
                    confirmation: button.confirmation,
                    isBad: button.verb == "remove",
                )
            },
            deliveries: deliveries,
        )
    }
}
