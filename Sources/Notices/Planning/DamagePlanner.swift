import Foundation
import Releases
import Store

/// Decides whether damage to the store is new.
///
/// It is separate from ``NoticePlanner``, which needs documents that may be the damaged ones.
struct DamagePlanner {
    let damage: StoreDamage
    let webhooks: [Webhook]
    let links: Links?
    let date: Date
    let random: (Int) -> [UInt8]

    /// The number of problems that the ledger keeps; no one would read more.
    static let mostKept = 1000

    /// Queues one notice about everything that is new, and records it in the ledger.
    ///
    /// A problem that was fixed and occurs again is new again. As with other notices, one that no webhook
    /// asked for does not count as sent.
    func announce(in ledger: inout NoticeLedger) {
        let problems = damage.problems.prefix(Self.mostKept)
        let present = Set(problems.map(Self.key))
        let before = Set(ledger.damage ?? [])
        var told = damage.isComplete ? before.intersection(present) : before
        let new = problems.filter { !told.contains(Self.key($0)) }
        if !new.isEmpty {
            let writer = NoticeWriter(apps: [:], links: links, date: date, random: random)
            let notice = writer.notice(ofDamage: Array(new))
            if webhooks.contains(where: { $0.wants(notice) }) {
                ledger.outbox.add(notice, for: webhooks, at: date, random: random)
                told.formUnion(new.map(Self.key))
            }
        }
        // Present problems are kept first; the others will be checked again, and forgotten if they are
        // fixed.
        let rest = told.subtracting(present).sorted().prefix(Self.mostKept)
        let kept = told.intersection(present).union(rest).sorted()
        if kept != ledger.damage ?? [] { ledger.damage = kept.isEmpty ? nil : kept }
    }

    private static func key(_ problem: StoreProblem) -> String { "\(problem.id) \(problem.place)" }
}
