import APIDocuments
import Administration
import Bundles
import Foundation
import Identifiers
import Inspection
import Jobs
import Notices
import Pages
import Problems
import Releases
import SiteServices
import Store
import TeamUpkeep

/// What needs an admin's attention: private keys that do not open, devices to approve, outdated builds,
/// slots that run out, and what expires soon.
struct AdminTodo {
    let visit: AdminRequest
    let apps: [BundleIdentifier: AppRecord]
    let accounts: AccountStandings

    func items(_ timeline: ExpiryTimeline) throws -> [DashboardPage.Todo] {
        let searches = [
            lockedTeams, troubles, webhooks, jobs, approvals, rebuilds, unowned, unregistered,
            slots,
        ]
        let found = try searches.flatMap { find in
            try visit.store.unlessDamaged { try find() } ?? []
        }
        return damage() + certificate() + found + deadlines(timeline)
    }

    /// What of the store is damaged or missing; the first few.
    private func damage() -> [DashboardPage.Todo] {
        let problems = visit.services.health.problems
        let shown = problems.prefix(4).map { problem in
            DashboardPage.Todo(
                tone: "bad",
                title: "The store is damaged: \(problem.message)",
                detail: Wording.sentence(problem.fix),
                url: visit.links.activity,
                action: "Activity",
            )
        }
        guard problems.count > shown.count else { return shown }
        return shown + [
            DashboardPage.Todo(
                tone: "bad",
                title: "The store has "
                    + Wording.count(problems.count - shown.count, "more damaged item"),
                detail: "The command “ota store verify” lists everything that is damaged.",
                url: visit.links.activity,
                action: "Activity",
            )
        ]
    }

    /// Why the server has no certificate that phones trust, or gets no new one.
    private func certificate() -> [DashboardPage.Todo] {
        guard let trouble = visit.services.certificateHealth.trouble else { return [] }
        return [
            DashboardPage.Todo(
                tone: trouble.isUrgent ? "bad" : "warn",
                title: trouble.title,
                detail: trouble.detail,
                url: visit.links.activity,
                action: "Activity",
            )
        ]
    }

    /// Teams that nothing can be signed for, because their private keys do not open.
    private func lockedTeams() throws -> [DashboardPage.Todo] {
        let keyFile = visit.services.keyFile
        guard let locked = try visit.store.lockedTeams(by: keyFile) else { return [] }
        let isOne = locked.teams.count == 1
        return [
            DashboardPage.Todo(
                tone: "bad",
                title: "Private \(isOne ? "key" : "keys") of \(locked.names) cannot be opened",
                detail: Wording.sentence(locked.reason) + " " + Wording.sentence(locked.fix),
                url: visit.links.teams,
                action: "Teams",
            )
        ]
    }

    /// What keeps the server from working in a team's developer account, and what waits for an admin
    /// there.
    private func troubles() -> [DashboardPage.Todo] {
        accounts.teams.compactMap { team in
            guard let account = team.account else { return nil }
            if let trouble = account.trouble {
                return DashboardPage.Todo(
                    tone: trouble.needsPerson ? "bad" : "warn",
                    title: "\(team.name): \(trouble.message)",
                    detail: trouble.needsPerson
                        ? Wording.sentence(Self.plain(trouble.fix))
                        : "The server has been trying again since "
                            + Wording.moment(trouble.since) + ".",
                    url: visit.links.teams,
                    action: "Teams",
                )
            }
            guard !account.isActive else { return nil }
            return DashboardPage.Todo(
                tone: "warn",
                title: "\(team.name) waits for your permission to make changes at Apple",
                detail: "“Compare devices” on the page of teams shows what the server would "
                    + "change.",
                url: visit.links.teams,
                action: "Teams",
            )
        }
    }

    /// Without the marks of code, which a page does not read.
    private static func plain(_ text: String) -> String { text.replacing("`", with: "") }

    private func webhooks() throws -> [DashboardPage.Todo] {
        try visit.perform(ListWebhooks()).webhooks.filter { $0.status == .failing }.map { webhook in
            let failure = webhook.failing.map {
                "Since \(Wording.moment($0.since)): \($0.cause)"
            }
            let queue = webhook.waiting > 0 ? "\(webhook.waiting) queued" : nil
            return DashboardPage.Todo(
                tone: "bad",
                title: "The webhook \(webhook.url) is failing",
                detail: [failure, queue].compactMap(\.self).joined(separator: ", "),
                url: visit.links.notices,
                action: "Review",
            )
        }
    }

    /// Jobs that need an admin before they continue: those that failed lately and were not requested
    /// again, and those that wait for something an admin can do.
    private func jobs() throws -> [DashboardPage.Todo] {
        let month = visit.now.addingTimeInterval(-30 * 86_400)
        var seen: Set<String> = []
        return try visit.store.jobs(count: Self.newestJobs).compactMap {
            job -> DashboardPage.Todo? in
            let entry = try JobEntry(job, in: visit.store)
            // The newest of those that are about the same tells how it is.
            guard seen.insert(entry.title).inserted else { return nil }
            let isFailed = entry.state == .failed && entry.changed > month
            // What keeps the server from working in the team's account is said above.
            let isSaid = accounts.teams.contains {
                $0.identifier == job.team && $0.account?.trouble?.message == job.reason
            }
            let waits =
                entry.state == .waiting && entry.attempts == 0 && entry.fix != nil && !isSaid
            guard isFailed || waits else { return nil }
            return DashboardPage.Todo(
                tone: isFailed ? "bad" : "warn",
                title: isFailed
                    ? "The server could not \(entry.title)"
                    : "The job to \(entry.title) is waiting",
                detail: [entry.reason.map { Wording.sentence($0) }, entry.pageFix]
                    .compactMap(\.self).joined(separator: " "),
                url: visit.links.job(entry.id),
                action: "See the job",
            )
        }
    }

    /// Jobs that are looked through.
    private static let newestJobs = 50

    private func approvals() throws -> [DashboardPage.Todo] {
        let pending = try visit.store.devices().pending
        guard !pending.isEmpty else { return [] }
        return [
            DashboardPage.Todo(
                tone: "accent",
                title: "\(Wording.count(pending.count, "device")) to approve",
                detail: Self.names(of: pending),
                url: visit.links.devices,
                action: "Review",
            )
        ]
    }

    /// Builds on offer that lack devices which joined since.
    private func rebuilds() throws -> [DashboardPage.Todo] {
        let wanted = try visit.store.wantedDevices()
        let register = try visit.store.devices()
        // What the server does by itself is among the jobs, and not for an admin.
        lazy var byPeople = WantedDevices(in: register) { !isByServer($0) }
        return try apps.values.sorted { $0.title < $1.title }.compactMap { app in
            guard let channel = app.defaultChannel,
                let (release, missing) = try visit.store.unlessDamaged({
                    () throws -> (Release, MissingDevices)? in
                    guard let release = try visit.store.release(on: channel, of: app) else {
                        return nil
                    }
                    let counted = app.keepsFresh(channel) ? byPeople : wanted
                    return (
                        release,
                        try counted.missing(from: release) { try visit.store.report(of: release) },
                    )
                }), release.withdrawal == nil, !missing.isEmpty
            else { return nil }
            // The server renews the team's profiles, also where an admin signs the build.
            let isSigned =
                release.keepsOriginal
                && accounts.teams.contains {
                    $0.identifier == app.team && $0.account?.isActive == true
                }
            return DashboardPage.Todo(
                tone: "warn",
                title: "\(app.title) \(release.version) is missing "
                    + "\(Wording.count(missing.count, "device"))",
                detail: (isSigned ? "Sign it again, or publish" : "Publish")
                    + " a new build that includes "
                    + Self.names(of: missing.devices.prefix(3), count: missing.count) + ".",
                url: visit.links.release(release.identifier, of: app.slug),
                action: "See devices",
            )
        }
    }

    /// Whether the server registers a device and makes its profiles by itself.
    private func isByServer(_ device: Device) -> Bool {
        device.owner(among: accounts.teams)?.account?.isActive == true
    }

    private func unregistered() throws -> [DashboardPage.Todo] {
        let devices = try visit.store.devices().unregistered.filter { !isByServer($0) }
        guard !devices.isEmpty else { return [] }
        return [
            DashboardPage.Todo(
                tone: "accent",
                title: "\(Wording.count(devices.count, "device")) to register with Apple",
                detail: Self.names(of: devices),
                url: visit.links.devices,
                action: "Review",
            )
        ]
    }

    /// Devices that nothing is done for, because nobody has said whose they are.
    private func unowned() throws -> [DashboardPage.Todo] {
        let found = TeamDevices.unowned(in: try visit.store.devices(), beside: accounts.teams)
        guard let words = found.unownedWords else { return [] }
        return [
            DashboardPage.Todo(
                tone: "warn",
                title: words,
                detail: Wording.sentence(Self.plain(TeamDevices.unownedFix)),
                url: visit.links.devices,
                action: "Review",
            )
        ]
    }

    private func slots() throws -> [DashboardPage.Todo] {
        try visit.store.devices().slots(at: visit.now).compactMap { slots in
            let left = slots.limit - slots.used
            guard left <= slots.limit / 10 else { return nil }
            let team = slots.team.map { " in team \($0)" } ?? ""
            return DashboardPage.Todo(
                tone: left == 0 ? "bad" : "warn",
                title: left == 0
                    ? "No \(slots.family.title) slots left\(team)"
                    : "\(left) \(slots.family.title) \(left == 1 ? "slot" : "slots") left\(team)",
                detail: slots.resets.map { "The membership year ends on \(Wording.day($0))." }
                    ?? "Set the date on which the membership renews with “ota devices slots "
                    + "--renews”.",
                url: visit.links.devices,
                action: "Review",
            )
        }
    }

    private func deadlines(_ timeline: ExpiryTimeline) -> [DashboardPage.Todo] {
        timeline.due(within: 14 * 86_400, of: visit.now).filter { $0.kind != .invitation }
            .prefix(4).map { item in
                DashboardPage.Todo(
                    tone: Deadline.tone(of: item.expires, at: visit.now),
                    title: "The \(item.kind.title) \(item.name) "
                        + (item.expires <= visit.now ? "expired " : "expires ")
                        + Wording.distance(to: item.expires, from: visit.now),
                    detail: item.fix,
                    url: item.kind == .token ? visit.links.tokens : visit.links.profiles,
                    action: "Review",
                )
            }
    }

    /// `Ana’s iPhone, Ben’s iPad and 3 more`.
    private static func names(of devices: [Device]) -> String {
        names(of: devices.prefix(3), count: devices.count)
    }

    private static func names(of devices: some Sequence<Device>, count: Int) -> String {
        let shown = devices.map(\.name)
        let more = count - shown.count
        if more > 0 { return shown.joined(separator: ", ") + " and \(more) more" }
        guard let last = shown.last, shown.count > 1 else { return shown.first ?? "" }
        return shown.dropLast().joined(separator: ", ") + " and " + last
    }
}
