import APIDocuments
import Access
import Administration
import Bundles
import Foundation
import HTTPServing
import Hummingbird
import Identifiers
import Inspection
import Jobs
import Notices
import Pages
import Releases
import SiteServices
import Store

/// The overview page.
struct AdminOverview: Sendable {
    /// The number of days whose installs are counted.
    private static let days = 30
    /// The most rows of each list.
    private static let rows = 6

    let gate: AdminGate

    /// Answers `GET /admin`.
    @Sendable func page(_ request: Request, _ context: RouteContext) async throws -> Response {
        try await gate.page(request, context, in: .dashboard, require: .read) { visit in
            DashboardPage(
                try Self.content(for: visit),
                links: visit.links,
                at: visit.now,
                admin: try visit.chrome(),
            )
        }
    }

    private static func content(for visit: AdminRequest) throws -> DashboardPage.Content {
        let apps = Dictionary(
            uniqueKeysWithValues: try visit.apps().map { ($0.bundleIdentifier, $0) }
        )
        let since = visit.now.addingTimeInterval(-Double(days) * 86_400)
        let attempts = try visit.store.installAttempts(of: nil, since: since)
            .filter { apps[$0.app] != nil }
        let timeline = try ExpiryTimeline(of: visit.store, at: visit.now)
        var content = DashboardPage.Content()
        content.installs = counts(of: attempts, until: visit.now)
        content.recent = try recent(attempts, apps, visit)
        content.published = try published(apps, attempts, visit)
        content.deadlines = AdminDeadlines(visit: visit, apps: apps).next(of: timeline, rows)
        content.activity = try AdminActivity.rows(visit, count: rows)
        if visit.isAdmin {
            content.slots =
                try visit.store.unlessDamaged {
                    try visit.store.devices().slots(at: visit.now)
                        .filter { $0.used > 0 || $0.team == nil }
                } ?? []
            let accounts = try visit.accounts()
            content.counts = accounts.counts
            content.accounts = accounts.teams.compactMap { team in
                team.account.map {
                    AccountRow(team.name, $0, url: visit.links.teams, at: visit.now)
                }
            }
            content.jobs = try jobs(visit)
            content.todo = try AdminTodo(visit: visit).cards(timeline)
            content.setup = try visit.store.unlessDamaged { try setup(visit, apps) } ?? []
        }
        return content
    }

    /// Returns the setup steps of a server that has no build or no device yet.
    private static func setup(
        _ visit: AdminRequest,
        _ apps: [BundleIdentifier: AppRecord],
    ) throws -> [DashboardPage.SetupStep] {
        let register = try visit.store.devices()
        let hasBuild = apps.values.contains { !$0.channels.isEmpty }
        let hasDevice = !register.devices.isEmpty
        guard !hasBuild || !hasDevice else { return [] }
        return [
            DashboardPage.SetupStep(
                1,
                "Publish a build",
                "From here, or from CI with “ota publish build.ipa”.",
                isDone: hasBuild,
                url: visit.links.publish,
                action: "Publish",
            ),
            DashboardPage.SetupStep(
                2,
                "Invite a tester",
                "Their device registers itself with a link or a QR code.",
                isDone: hasDevice,
                url: visit.links.invitations,
                action: "Invite",
            ),
            DashboardPage.SetupStep(
                3,
                "Get notified before something expires",
                "By webhook or e-mail, before a profile or certificate keeps builds from installing.",
                isDone: !(try visit.store.webhooks().webhooks.isEmpty),
                url: visit.links.notices,
                action: "Add a webhook",
            ),
        ]
    }

    /// Returns the open jobs, then those that ended last.
    private static func jobs(_ visit: AdminRequest) throws -> [JobLine] {
        let newest = try visit.store.jobs(count: 20)
        let open = newest.filter { !$0.state.isOver }
        return try (open + newest.filter(\.state.isOver)).prefix(rows).map { job in
            try JobEntry(job, in: visit.store).line(visit)
        }
    }

    /// Returns the number of attempts for each UTC day, today last.
    private static func counts(
        of attempts: [InstallAttempt],
        until date: Date,
    ) -> [DayBars.Count] {
        var counts = Array(repeating: DayBars.Count(), count: days)
        for attempt in attempts {
            let place = days - 1 + Wording.days(from: date, to: attempt.ended)
            guard counts.indices.contains(place) else { continue }
            if attempt.outcome == .downloaded {
                counts[place].done += 1
            } else {
                counts[place].failed += 1
            }
        }
        return counts
    }

    private static func recent(
        _ attempts: [InstallAttempt],
        _ apps: [BundleIdentifier: AppRecord],
        _ visit: AdminRequest,
    ) throws -> [DashboardPage.Install] {
        let last = attempts.sorted { $0.ended > $1.ended }.prefix(rows)
        var devices: [String: Device] = [:]
        // Readers who may not see devices do not see the devices' names.
        if visit.isAdmin, last.contains(where: { $0.device != nil }) {
            devices = try visit.store.unlessDamaged(visit.administrator.devicesByReference) ?? [:]
        }
        return last.map { attempt in
            let name = attempt.device.flatMap { devices[$0]?.name }
            return DashboardPage.Install(
                attempt,
                by: visit.isAdmin
                    ? name ?? attempt.person : attempt.device.map { _ in "A tester’s device" },
                of: apps[attempt.app]?.title ?? attempt.app.rawValue,
                url: name == nil ? nil : attempt.device.map(visit.links.device),
                at: visit.now,
            )
        }
    }

    private static func published(
        _ apps: [BundleIdentifier: AppRecord],
        _ attempts: [InstallAttempt],
        _ visit: AdminRequest,
    ) throws -> [DashboardPage.Published] {
        var found: [(release: Release, app: AppRecord)] = []
        for newest in try NewestRelease.all(in: visit.store, ofEach: NewestRelease.usualCount) {
            guard found.count < rows else { break }
            guard let app = apps[newest.app] else { continue }
            let release = try visit.store.unlessDamaged {
                try visit.store.release(newest.release, of: newest.app)
            }
            if let release { found.append((release, app)) }
        }
        return found.map { release, app in
            let url = visit.links.release(release.identifier, of: app.slug)
            return DashboardPage.Published(
                release,
                of: app.title,
                on: app.offers(at: visit.now).filter { $0.release == release.identifier }
                    .map(\.channel),
                installs: attempts.count {
                    $0.app == app.bundleIdentifier && $0.release == release.identifier
                        && $0.outcome == .downloaded
                },
                url: url,
                iconURL: url + "/icon.png",
                at: visit.now,
            )
        }
    }
}
