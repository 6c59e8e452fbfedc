import APIDocuments
import Administration
import Bytes
import Foundation
import HTTPServing
import Hummingbird
import Identifiers
import Notices
import Pages
import Releases
import SiteServices
import Store

/// What needs an admin's attention: a card for each kind, with links to the pages where it is resolved.
struct AdminTodo {
    let visit: AdminRequest

    /// Returns one card for each kind, with its first few items.
    func cards(_ timeline: ExpiryTimeline) throws -> [AttentionCard] {
        try AttentionSearch(visit.administration).groups(timeline).map {
            card($0, $0.items.prefix(AttentionCard.mostRows))
        }
    }

    /// Returns a card with some of a group's items; a single item needs no row.
    fileprivate func card(
        _ group: AttentionGroup,
        _ items: some Collection<AttentionGroup.Item>,
    ) -> AttentionCard {
        let tone = tone(of: group.level)
        if group.items.count == 1, let entry = group.items.first?.entry {
            return AttentionCard(
                tone: tone,
                title: entry.title,
                detail: entry.detail,
                buttons: [button(entry, about: entry.title)] + further(group.kind),
            )
        }
        let title = group.title
        let list = wholeList(of: group.kind)
        return AttentionCard(
            tone: tone,
            title: title,
            detail: group.fix,
            buttons: further(group.kind),
            rows: items.map { item in
                AttentionCard.Row(
                    tone: self.tone(of: item.entry.level),
                    title: item.subject,
                    detail: item.note,
                    button: button(item.entry, about: item.subject),
                )
            },
            total: group.items.count,
            restURL: list,
        )
    }

    private func tone(of level: AttentionEntry.Level) -> String {
        switch level {
        case .urgent: "bad"
        case .warning: "warn"
        case .waiting: "accent"
        }
    }

    /// Returns a button that opens the page where an entry is resolved.
    private func button(_ entry: AttentionEntry, about: String) -> AttentionCard.Button {
        let links = visit.links
        let (title, url) =
            switch entry.place {
            case .activity: ("Activity", links.activity)
            case .teams: ("Teams", links.teams)
            case .webhooks: ("Review", links.notices)
            case .jobs: ("See the job", entry.job.map(links.job) ?? links.jobs)
            case .devices: ("Review", links.devices)
            case .tokens: ("Review", links.tokens)
            case .profiles: ("Review", links.profiles)
            case .releases: page(of: entry)
            }
        return AttentionCard.Button(title, about: about, url: url)
    }

    private func page(of entry: AttentionEntry) -> (title: String, url: String) {
        let links = visit.links
        guard let app = entry.app.flatMap({ Slug($0) }) else { return ("Apps", links.apps) }
        guard let release = entry.release.flatMap({ ReleaseIdentifier($0) }) else {
            return ("Review", links.app(app) + "#settings")
        }
        return ("See devices", links.release(release, of: app))
    }

    /// Returns further buttons for a whole kind.
    private func further(_ kind: AttentionGroup.Kind) -> [AttentionCard.Button] {
        guard kind == .unregistered else { return [] }
        return [
            AttentionCard.Button(
                "Export for Apple",
                about: "the devices to register",
                url: visit.links.exportDevices,
                isDownload: true,
            )
        ]
    }

    /// Returns the path of the list of all entries of a kind.
    private func wholeList(of kind: AttentionGroup.Kind) -> String {
        let links = visit.links
        return switch kind {
        case .keys, .accounts: links.teams
        case .webhooks: links.notices
        case .jobs: links.jobs
        case .approvals, .unowned, .unregistered, .slots: links.devices
        case .deadlines: links.profiles
        case .damage, .certificate, .closedApps, .missingDevices:
            links.attention(kind.rawValue)
        }
    }
}

extension AdminOverview {
    /// Answers `GET /admin/attention/{kind}?page=`.
    @Sendable func attention(_ request: Request, _ context: RouteContext) async throws -> Response {
        guard let kind = AttentionGroup.Kind(rawValue: try context.text("kind")) else {
            throw Refusal.notFound
        }
        let number = try request.pageNumber
        return try await gate.page(request, context, in: .dashboard) { visit in
            let timeline = try ExpiryTimeline(of: visit.store, at: visit.now)
            let search = try AttentionSearch(visit.administration)
            let group = try search.group(kind, timeline)
            let first = (number - 1) * AttentionPage.length
            let total = group?.items.count ?? 0
            guard number == 1 || first < total else { throw Refusal.notFound }
            let items = group?.items.dropFirst(first).prefix(AttentionPage.length) ?? []
            let card =
                group.map { AdminTodo(visit: visit).card($0, items) }
                ?? AttentionCard(
                    tone: "accent",
                    title: "Nothing of this kind needs attention",
                    detail: "",
                    buttons: [],
                )
            return AttentionPage(
                card,
                turn: PageTurn(
                    number: number,
                    length: AttentionPage.length,
                    total: total,
                    url: { visit.links.attention(kind.rawValue) + "?page=\($0)" },
                ),
                links: visit.links,
                admin: try visit.chrome(),
            )
        }
    }
}

extension AttentionGroup {
    /// The title of a card with several items.
    fileprivate var title: String {
        let count = items.count.grouped
        return switch kind {
        case .damage: "The store is damaged in \(count) places"
        case .certificate: "The server’s certificate needs attention"
        case .keys: "Private keys of \(count) teams cannot be opened"
        case .closedApps: "\(count) apps are open to no one"
        case .accounts: "\(count) developer accounts need attention"
        case .webhooks: "\(count) webhooks are failing"
        case .jobs: "\(count) jobs failed or are waiting for you"
        case .approvals: "\(count) devices to approve"
        case .missingDevices: "\(count) apps are missing devices"
        case .unowned: "\(count) devices belong to no team"
        case .unregistered: "\(count) devices to register with Apple"
        case .slots: "Device slots are running low"
        case .deadlines: "\(count) items expire soon or have expired"
        }
    }

    /// The fix for all items; empty if each item has its own.
    fileprivate var fix: String {
        switch kind {
        case .closedApps:
            "Sign-in is not set up for testers: use “ota sign-in set --testers”, or change who can "
                + "open the apps."
        case .missingDevices: "Publish a new build of each app that includes its missing devices."
        default: ""
        }
    }
}
