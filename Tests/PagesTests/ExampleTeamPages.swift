import Bundles
import Foundation
import Identifiers
import Pages
import Releases
import Testing

/// The admin's pages of what a team has beside its apps and devices: profiles, tokens, webhooks.
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
                token("ci", ["publish, " + word("Browsey") + " only"], expires: 12),
                token("ana", ["full access"], expires: 80, isOwn: true),
                token("old", ["read"], expires: -3),
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
    ) -> TokensPage.Entry {
        TokensPage.Entry(
            identifier: "0123456" + "\(abs(Int(days)) % 10)",
            name: word(name),
            scopes: scopes,
            created: Self.now - 10 * Self.day,
            end: (expires: Self.now + days * Self.day, revoked: nil),
            isOwn: isOwn,
            isOver: days < 0,
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
            isEmpty ? [] : webhooks(),
            form: form,
            links: try adminLinks(),
            made: made
                ? NoticesPage.Made(
                    name: word("https://ci.example.com/…"),
                    secret: String(repeating: "0123456789abcdef", count: 4),
                ) : nil,
            at: Self.now,
            admin: try admin(.notices),
        )
    }

    /// One that works, one that fails, a new one, and one that is paused.
    private func webhooks() -> [NoticesPage.Entry] {
        var working = NoticesPage.Entry(
            identifier: "01234567",
            address: word("https://hooks.example.com/…"),
            kind: "Slack",
            subjects: "everything",
        )
        working.deliveries = [
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
        var failing = NoticesPage.Entry(
            identifier: "456789ab",
            address: word("https://chat.example.com/…"),
            kind: "Slack",
            subjects: "everything",
        )
        failing.failing = (since: Self.now - 3000, cause: word("HTTP 500"))
        failing.waiting = 14
        failing.next = Self.now + 360
        var paused = NoticesPage.Entry(
            identifier: "cdef0123",
            address: word("https://paused.example.com/…"),
            kind: "Slack",
            subjects: "everything",
        )
        paused.paused = Self.now - 3000
        paused.failing = failing.failing
        paused.waiting = 2
        paused.next = Self.now + 360
        return [
            working, failing,
            NoticesPage.Entry(
                identifier: "89abcdef",
                address: word("https://ci.example.com/…"),
                kind: "JSON, signed",
                subjects: "a release was published about " + word("Browsey"),
            ),
            paused,
        ]
    }
}
