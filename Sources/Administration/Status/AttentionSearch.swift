package import APIDocuments
import Foundation
import Identifiers
import Inspection
import Jobs
package import Notices
import Problems
import Releases
import Store
import TeamUpkeep

/// What needs an admin's attention: private keys that do not open, devices to approve, outdated builds,
/// slots that run out, and what expires soon.
package struct AttentionSearch {
    let administration: LocalAdministration
    let apps: [AppRecord]
    /// The teams whose accounts the server has a key for.
    let teams: [Team]

    var store: OTAStore { administration.admin.store }
    private var now: Date { administration.admin.clock() }

    /// - Parameter administration: the store, and who asks.
    /// - Throws: `StoreFailure`.
    package init(_ administration: LocalAdministration) throws {
        self.administration = administration
        let store = administration.admin.store
        apps = try store.apps()
        // A team's document that is damaged is said elsewhere.
        teams = (try store.unlessDamaged { try store.teams() } ?? []).filter { $0.account != nil }
    }

    /// - Parameter timeline: what expires.
    /// - Returns: the most urgent kinds first.
    /// - Throws: `StoreFailure`.
    package func entries(_ timeline: ExpiryTimeline) throws -> [AttentionEntry] {
        let searches = [
            lockedTeams, closedApps, troubles, webhooks, jobs, approvals, rebuilds, unowned,
            unregistered,
            slots,
        ]
        let found = try searches.flatMap { find in
            try store.unlessDamaged { try find() } ?? []
        }
        return damage() + certificate() + found + deadlines(timeline)
    }

    /// What of the store is damaged or missing; the first few.
    private func damage() -> [AttentionEntry] {
        let problems = administration.standing?.damage ?? []
        let shown = problems.prefix(4).map { problem in
            AttentionEntry(
                .urgent,
                "The store is damaged: \(problem.message)",
                Wording.sentence(problem.fix),
                at: .activity,
            )
        }
        guard problems.count > shown.count else { return shown }
        return shown + [
            AttentionEntry(
                .urgent,
                "The store has "
                    + Wording.count(problems.count - shown.count, "more damaged item"),
                "The command “ota store verify” lists everything that is damaged.",
                at: .activity,
            )
        ]
    }

    /// Why the server has no certificate that phones trust, or gets no new one.
    private func certificate() -> [AttentionEntry] {
        guard let trouble = administration.standing?.certificate else { return [] }
        return [
            AttentionEntry(
                trouble.isUrgent ? .urgent : .warning,
                trouble.title,
                trouble.detail,
                at: .activity,
            )
        ]
    }

    /// Teams that nothing can be signed for, because their private keys do not open.
    private func lockedTeams() throws -> [AttentionEntry] {
        let keyFile = administration.keyFile
        guard let locked = try store.lockedTeams(by: keyFile) else { return [] }
        let isOne = locked.teams.count == 1
        return [
            AttentionEntry(
                .urgent,
                "Private \(isOne ? "key" : "keys") of \(locked.names) cannot be opened",
                Wording.sentence(locked.reason) + " " + Wording.sentence(locked.fix),
                at: .teams,
            )
        ]
    }

    /// What keeps the server from working in a team's developer account, and what waits for an admin
    /// there.
    private func troubles() -> [AttentionEntry] {
        teams.compactMap { team in
            guard let account = team.account else { return nil }
            if let trouble = account.trouble {
                return AttentionEntry(
                    trouble.needsPerson ? .urgent : .warning,
                    "\(team.name): \(trouble.message)",
                    trouble.needsPerson
                        ? Wording.sentence(Self.plain(trouble.fix))
                        : "The server has been trying again since "
                            + Wording.moment(trouble.since) + ".",
                    at: .teams,
                )
            }
            guard !account.isActive else { return nil }
            return AttentionEntry(
                .warning,
                "\(team.name) waits for your permission to make changes at Apple",
                "“Compare devices” on the page of teams shows what the server would "
                    + "change.",
                at: .teams,
            )
        }
    }

    /// Without the marks of code, which a page does not read.
    private static func plain(_ text: String) -> String { text.replacing("`", with: "") }

    private func webhooks() throws -> [AttentionEntry] {
        let webhooks = try administration.perform(ListWebhooks()).webhooks
        return webhooks.filter { $0.status == .failing }.map { webhook in
            let failure = webhook.failing.map {
                "Since \(Wording.moment($0.since)): \($0.cause)"
            }
            let queue = webhook.waiting > 0 ? "\(webhook.waiting) queued" : nil
            return AttentionEntry(
                .urgent,
                "The webhook \(webhook.url) is failing",
                [failure, queue].compactMap(\.self).joined(separator: ", "),
                at: .webhooks,
            )
        }
    }

    /// Jobs that need an admin before they continue: those that failed lately and were not requested
    /// again, and those that wait for something an admin can do.
    private func jobs() throws -> [AttentionEntry] {
        let month = now.addingTimeInterval(-30 * 86_400)
        var seen: Set<String> = []
        return try store.jobs(count: Self.newestJobs).compactMap {
            job -> AttentionEntry? in
            let entry = try JobEntry(job, in: store)
            // The newest of those that are about the same tells how it is.
            guard seen.insert(entry.title).inserted else { return nil }
            let isFailed = entry.state == .failed && entry.changed > month
            // What keeps the server from working in the team's account is said above.
            let isSaid = teams.contains {
                $0.identifier == job.team && $0.account?.trouble?.message == job.reason
            }
            let waits =
                entry.state == .waiting && entry.attempts == 0 && entry.fix != nil && !isSaid
            guard isFailed || waits else { return nil }
            return entry.attention(
                isFailed ? .urgent : .warning,
                isFailed
                    ? "The server could not \(entry.title)"
                    : "The job to \(entry.title) is waiting",
                [entry.reason, entry.pageFix].compactMap { $0.map { Wording.sentence($0) } }
                    .joined(separator: " "),
            )
        }
    }

    /// Jobs that are looked through.
    private static let newestJobs = 50

    private func approvals() throws -> [AttentionEntry] {
        let pending = try store.devices().pending
        guard !pending.isEmpty else { return [] }
        return [
            AttentionEntry(
                .waiting,
                "\(Wording.count(pending.count, "device")) to approve",
                Self.names(of: pending),
                at: .devices,
            )
        ]
    }

    /// Builds on offer that lack devices which joined since.
    private func rebuilds() throws -> [AttentionEntry] {
        let wanted = try store.wantedDevices()
        let register = try store.devices()
        // What the server does by itself is among the jobs, and not for an admin.
        lazy var byPeople = WantedDevices(in: register) { !isByServer($0) }
        let found: [AttentionEntry] = try apps.sorted { $0.title < $1.title }.compactMap { app in
            guard let channel = app.defaultChannel,
                let (release, missing) = try store.unlessDamaged({
                    () throws -> (Release, MissingDevices)? in
                    guard let release = try store.release(on: channel, of: app) else {
                        return nil
                    }
                    let counted = app.keepsFresh(channel) ? byPeople : wanted
                    return (
                        release,
                        try counted.missing(from: release) { try store.report(of: release) },
                    )
                }), release.withdrawal == nil, !missing.isEmpty
            else { return nil }
            // The server renews the team's profiles, also where an admin signs the build.
            let isSigned =
                release.keepsOriginal
                && teams.contains {
                    $0.identifier == app.team && $0.account?.isActive == true
                }
            return app.attention(
                to: release.identifier,
                "\(app.title) \(release.version) is missing "
                    + "\(Wording.count(missing.count, "device"))",
                (isSigned ? "Sign it again, or publish" : "Publish")
                    + " a new build that includes "
                    + Self.names(of: missing.first(3), count: missing.count) + ".",
            )
        }
        guard found.count > Self.mostBuilds else { return found }
        return found.prefix(Self.mostBuilds) + [
            AttentionEntry(
                .warning,
                Wording.count(found.count - Self.mostBuilds, "more build")
                    + " \(found.count == Self.mostBuilds + 1 ? "is" : "are") missing devices",
                "Each release’s page names the devices that cannot install it.",
                at: .devices,
            )
        ]
    }

    /// Builds, or apps, that are named one by one.
    static let mostBuilds = 20

    /// Whether the server registers a device and makes its profiles by itself.
    private func isByServer(_ device: Device) -> Bool {
        device.owner(among: teams)?.account?.isActive == true
    }

    private func unregistered() throws -> [AttentionEntry] {
        let devices = try store.devices().unregistered.filter { device in
            device.places.contains { $0.state == .approved && !isByServer($0) }
        }
        guard !devices.isEmpty else { return [] }
        return [
            AttentionEntry(
                .waiting,
                "\(Wording.count(devices.count, "device")) to register with Apple",
                Self.names(of: devices),
                at: .devices,
            )
        ]
    }

    /// Devices for which nothing is done, because no one has said which team owns them.
    private func unowned() throws -> [AttentionEntry] {
        let found = TeamDevices.unowned(in: try store.devices(), beside: teams)
        guard let words = found.unownedWords else { return [] }
        return [
            AttentionEntry(
                .warning,
                words,
                Wording.sentence(Self.plain(TeamDevices.unownedFix)),
                at: .devices,
            )
        ]
    }

    private func slots() throws -> [AttentionEntry] {
        try store.devices().slots(at: now).compactMap { slots in
            let left = slots.limit - slots.used
            guard left <= slots.limit / 10 else { return nil }
            let team = slots.team.map { " in team \($0)" } ?? ""
            return AttentionEntry(
                left == 0 ? .urgent : .warning,
                left == 0
                    ? "No \(slots.family.title) slots left\(team)"
                    : "\(left) \(slots.family.title) \(left == 1 ? "slot" : "slots") left\(team)",
                slots.resets.map { "The membership year ends on \(Wording.day($0))." }
                    ?? "Set the date on which the membership renews with “ota devices slots "
                    + "--renews”.",
                at: .devices,
            )
        }
    }

    private func deadlines(_ timeline: ExpiryTimeline) -> [AttentionEntry] {
        timeline.due(within: 14 * 86_400, of: now).filter { $0.kind != .invitation }
            .prefix(4).map { item in
                AttentionEntry(
                    level(of: item.expires),
                    "The \(item.kind.title) \(item.name) "
                        + (item.expires <= now ? "expired " : "expires ")
                        + Wording.distance(to: item.expires, from: now),
                    item.fix,
                    at: item.kind == .token ? .tokens : .profiles,
                )
            }
    }

    /// Urgent within a week of the end and after it.
    private func level(of expires: Date) -> AttentionEntry.Level {
        expires <= now || Wording.days(from: now, to: expires) <= 7 ? .urgent : .warning
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

extension JobEntry {
    /// What to do about it, for who has a browser.
    fileprivate var pageFix: String? {
        guard state != .done, let fix else { return nil }
        let message = reason ?? state.rawValue
        return Problem(id: "job.failed", kind: .failed, message: message, fix: fix).pageFix
    }

    fileprivate func attention(
        _ level: AttentionEntry.Level,
        _ title: String,
        _ detail: String,
    ) -> AttentionEntry {
        var entry = AttentionEntry(level, title, detail, at: .jobs)
        entry.job = id
        return entry
    }
}

extension AppRecord {
    fileprivate func attention(
        to release: ReleaseIdentifier,
        _ title: String,
        _ detail: String,
    ) -> AttentionEntry {
        var entry = AttentionEntry(.warning, title, detail, at: .releases)
        entry.app = slug.rawValue
        entry.release = release.rawValue
        return entry
    }
}
