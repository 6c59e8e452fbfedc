package import APIDocuments
import Foundation
package import Notices
import Releases
import Store

/// What needs an admin's attention: private keys that do not open, devices to approve, outdated builds,
/// slots that run out, and what expires soon.
package struct AttentionSearch {
    let administration: LocalAdministration
    let apps: [AppRecord]
    /// The teams whose accounts the server has a key for.
    let teams: [Team]

    var store: OTAStore { administration.admin.store }
    var now: Date { administration.admin.clock() }

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
}
