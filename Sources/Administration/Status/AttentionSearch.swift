package import APIDocuments
import Foundation
package import Notices
import Releases
import Store

/// Finds what needs an admin's attention: private keys that cannot be unsealed, devices to approve,
/// outdated builds, slots that are running out, and what expires soon.
package struct AttentionSearch {
    let administration: LocalAdministration
    let apps: [AppRecord]
    /// The teams whose accounts the server has a key for.
    let teams: [Team]

    var store: OTAStore { administration.admin.store }
    var now: Date { administration.admin.clock() }

    /// - Parameter administration: the store and the caller.
    /// - Throws: `StoreFailure`.
    package init(_ administration: LocalAdministration) throws {
        self.administration = administration
        let store = administration.admin.store
        apps = try store.apps()
        // A team's damaged document is reported elsewhere.
        teams = (try store.unlessDamaged { try store.teams() } ?? []).filter { $0.account != nil }
    }

    /// - Parameter timeline: what expires.
    /// - Returns: entries of the most urgent kinds first; a long list ends with the number of further ones.
    /// - Throws: `StoreFailure`.
    package func entries(_ timeline: ExpiryTimeline) throws -> [AttentionEntry] {
        try groups(timeline).flatMap { group in
            let entries = group.items.map(\.entry)
            let limit = Self.limit(of: group.kind)
            guard entries.count > limit else { return entries }
            let more = Self.more(entries.count - limit, group.kind)
            return entries.prefix(limit) + (more.map { [$0] } ?? [])
        }
    }

    /// Returns everything that ``entries(_:)`` lists, by kind, without leaving anything out.
    ///
    /// - Parameter timeline: what expires.
    /// - Returns: the most urgent kinds first.
    /// - Throws: `StoreFailure`.
    package func groups(_ timeline: ExpiryTimeline) throws -> [AttentionGroup] {
        try AttentionGroup.Kind.allCases.compactMap { try group($0, timeline) }
    }

    /// - Parameters:
    ///   - kind: the kind to search for; others are not searched.
    ///   - timeline: what expires.
    /// - Returns: nil if nothing of this kind needs attention.
    /// - Throws: `StoreFailure`.
    package func group(
        _ kind: AttentionGroup.Kind,
        _ timeline: ExpiryTimeline,
    ) throws -> AttentionGroup? {
        AttentionGroup(kind, try store.unlessDamaged { try items(of: kind, timeline) } ?? [])
    }

    private func items(
        of kind: AttentionGroup.Kind,
        _ timeline: ExpiryTimeline,
    ) throws -> [AttentionGroup.Item] {
        func plain(_ entries: [AttentionEntry]) -> [AttentionGroup.Item] {
            entries.map { AttentionGroup.Item($0) }
        }
        return switch kind {
        case .damage: plain(damage())
        case .certificate: plain(certificate())
        case .keys: plain(try lockedTeams())
        case .closedApps: try closedApps()
        case .accounts: plain(troubles())
        case .webhooks: plain(try webhooks())
        case .jobs: plain(try jobs())
        case .approvals: plain(try approvals())
        case .missingDevices: try rebuilds()
        case .unowned: plain(try unowned())
        case .unregistered: plain(try unregistered())
        case .slots: plain(try slots())
        case .deadlines: plain(deadlines(timeline))
        }
    }

    /// The number of builds, or apps, that are listed individually.
    static let mostBuilds = 20

    /// The number of entries of one kind that are listed individually.
    private static func limit(of kind: AttentionGroup.Kind) -> Int {
        switch kind {
        case .damage, .deadlines: 4
        case .missingDevices, .closedApps: mostBuilds
        default: Int.max
        }
    }

    /// The entry about the remaining ones; nil for kinds without such an entry.
    private static func more(_ count: Int, _ kind: AttentionGroup.Kind) -> AttentionEntry? {
        switch kind {
        case .damage:
            AttentionEntry(
                .urgent,
                "The store has " + Wording.count(count, "more damaged item"),
                "The command “ota store verify” lists everything that is damaged.",
                at: .activity,
            )
        case .missingDevices:
            AttentionEntry(
                .warning,
                Wording.count(count, "more build")
                    + " \(count == 1 ? "is" : "are") missing devices",
                "Each release’s page names the devices that cannot install it.",
                at: .devices,
            )
        default: nil
        }
    }

    /// Damaged or missing parts of the store.
    private func damage() -> [AttentionEntry] {
        (administration.standing?.damage ?? []).map { problem in
            AttentionEntry(
                .urgent,
                "The store is damaged: \(problem.message)",
                Wording.sentence(problem.fix),
                at: .activity,
            )
        }
    }

    /// Why the server has no certificate that devices trust, or cannot renew it.
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

    private func deadlines(_ timeline: ExpiryTimeline) -> [AttentionEntry] {
        timeline.due(within: 14 * 86_400, of: now).filter { $0.kind != .invitation }
            .map { item in
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

    /// Urgent from a week before the expiry.
    private func level(of expires: Date) -> AttentionEntry.Level {
        expires <= now || Wording.days(from: now, to: expires) <= 7 ? .urgent : .warning
    }
}
