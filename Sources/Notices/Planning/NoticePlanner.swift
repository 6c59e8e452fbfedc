import Access
import Bundles
import Cryptography
import Foundation
import Identifiers
import Inspection
import Releases
import Store

/// Decides which notices are due, from the state of the store and the notices sent before.
struct NoticePlanner {
    let snapshot: NoticeSnapshot
    let links: Links?
    let date: Date
    /// Returns the time after the journals were read: if the clock was set back between `date` and the
    /// reading, recent events would otherwise look years old.
    let clock: () -> Date
    let random: (Int) -> [UInt8]
    /// Whether the devices that a build lacks have stayed the same for a while.
    let isSettled: (_ app: BundleIdentifier, _ devices: String) -> Bool

    /// The number of journal entries that are processed in one go.
    static let mostNews = 200

    private var writer: NoticeWriter {
        NoticeWriter(apps: snapshot.apps, links: links, date: date, random: random)
    }

    /// Queues the due notices, and records them in the ledger.
    ///
    /// - Returns: errors about journal entries that cannot be read.
    func announce(in ledger: inout NoticeLedger) throws(StoreFailure) -> [StoreFailure] {
        ledger.outbox.keepOnly(snapshot.webhooks)
        let failures = try announceNews(in: &ledger)
        announceEndings(in: &ledger)
        announceMissing(in: &ledger)
        announceSlots(in: &ledger)
        return failures
    }

    // MARK: What happened

    /// Seconds after which events are too old to be reported, for example if the server was off for a week.
    private static let newsAge: TimeInterval = 7 * 86_400

    private func announceNews(in ledger: inout NoticeLedger) throws(StoreFailure) -> [StoreFailure]
    {
        guard let known = ledger.journals else {
            ledger.journals = try snapshot.store.journals()
            return []
        }
        let news = try snapshot.store.news(beyond: known, count: Self.mostNews)
        let now = clock()
        for activity in news.activities where now.timeIntervalSince(activity.date) < Self.newsAge {
            let notice = writer.notice(
                of: activity,
                release: try release(of: activity),
                feedback: try feedback(of: activity),
            )
            if let notice { queue(notice, in: &ledger) }
        }
        ledger.journals = news.known
        return news.failures
    }

    private func release(of activity: Activity) throws(StoreFailure) -> Release? {
        guard let app = activity.app.flatMap({ BundleIdentifier($0) }),
            let identifier = ReleaseIdentifier(activity.subject)
        else { return nil }
        // The journal may be newer than this server's cache of other documents.
        if let release = try snapshot.store.release(identifier, of: app) { return release }
        return try snapshot.store.release(identifier, of: app, isCurrent: true)
    }

    private func feedback(of activity: Activity) throws(StoreFailure) -> Feedback? {
        guard activity.event == .feedbackReceived,
            let app = activity.app.flatMap({ BundleIdentifier($0) })
        else { return nil }
        func find(isCurrent: Bool) throws(StoreFailure) -> Feedback? {
            try snapshot.store.feedback(of: app, isCurrent: isCurrent).entries.first {
                $0.identifier == activity.detail
            }
        }
        if let feedback = try find(isCurrent: false) { return feedback }
        return try find(isCurrent: true)
    }

    // MARK: What ends

    private struct Group: Hashable {
        let threshold: Int
        let apps: [BundleIdentifier]
    }

    /// Queues reminders; items with the same reminder in the same apps share a notice.
    ///
    /// A notice that no webhook asked for does not count as sent: the first webhook that is added
    /// immediately receives what is urgent.
    private func announceEndings(in ledger: inout NoticeLedger) {
        var groups: [Group: [ExpiringItem]] = [:]
        for item in snapshot.timeline.items where item.isInUse && item.kind != .invitation {
            let reminders = ledger.reminders[item.key] ?? Reminders()
            let due = reminders.due(begins: item.begins, expires: item.expires, at: date)
            if let due {
                groups[Group(threshold: due, apps: item.apps), default: []].append(item)
            }
        }
        let ordered = groups.sorted {
            ($0.key.threshold, $0.value[0].key) < ($1.key.threshold, $1.value[0].key)
        }
        for (group, items) in ordered {
            guard let notice = writer.notice(of: items, threshold: group.threshold),
                queue(notice, in: &ledger)
            else { continue }
            for item in items {
                ledger.reminders[item.key, default: Reminders()].tell(group.threshold, at: date)
            }
        }
        forgetReminders(in: &ledger)
    }

    private func forgetReminders(in ledger: inout NoticeLedger) {
        guard ledger.reminders.count > NoticeLedger.mostReminders else { return }
        let known = Set(snapshot.timeline.items.map(\.key))
        ledger.reminders = ledger.reminders.filter { known.contains($0.key) }
    }

    // MARK: Devices

    private func announceMissing(in ledger: inout NoticeLedger) {
        // An archived app gets no new build, so no one is asked to make one.
        let wanted = snapshot.offers.filter {
            $0.release.withdrawal == nil
                && snapshot.apps[$0.release.bundleIdentifier]?.isArchived != true
        }
        let newest = Dictionary(grouping: wanted) { $0.release.bundleIdentifier }
            .compactMapValues { offers in
                offers.max { $0.release.published < $1.release.published }
            }
        ledger.missing = ledger.missing.filter { app, _ in
            BundleIdentifier(app).map { newest[$0] != nil } ?? false
        }
        // Without webhooks, a thousand unneeded notices would be written at each check.
        guard !snapshot.webhooks.isEmpty else { return }
        for (app, offer) in newest.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            let lacking = snapshot.wanted.missing(from: offer.release) { offer.report }
            let before = ledger.missing[app.rawValue]
            let fingerprint = lacking.fingerprint
            let release = offer.release.identifier.rawValue
            if before?.release == release, before?.devices == fingerprint { continue }
            let now = NoticeLedger.Missing(
                release: release,
                devices: fingerprint,
                count: lacking.count,
            )
            if let before, before.release == release, before.isOfEarlierVersion,
                before.count == lacking.count
            {
                ledger.missing[app.rawValue] = now
                continue
            }
            let isFewer = before?.release == release && lacking.count < before?.count ?? 0
            guard !lacking.isEmpty, !isFewer else {
                if before != nil { ledger.missing[app.rawValue] = now }
                continue
            }
            guard isSettled(app, fingerprint) else { continue }
            let notice = writer.notice(of: lacking, missingIn: offer.release)
            if queue(notice, in: &ledger) { ledger.missing[app.rawValue] = now }
        }
    }

    // MARK: Slots

    /// The percentages of a family's slots at which a notice is sent, each once a year.
    private static let shares = [90, 95, 100]
    /// If the share falls below this percentage, the next rise is reported again.
    private static let calmShare = 80

    private func announceSlots(in ledger: inout NoticeLedger) {
        var present: Set<String> = []
        for slots in snapshot.devices.slots(at: date) {
            let year = slots.resets.map { "\(Int($0.timeIntervalSince1970))" } ?? "-"
            let key = "\(slots.team ?? "-") \(slots.family.rawValue) \(year)"
            present.insert(key)
            let used = slots.used * 100 / max(slots.limit, 1)
            if used < Self.calmShare {
                ledger.slots[key] = nil
                continue
            }
            guard let share = Self.shares.last(where: { used >= $0 }),
                share > ledger.slots[key] ?? 0
            else { continue }
            if queue(writer.notice(of: slots), in: &ledger) { ledger.slots[key] = share }
        }
        if ledger.slots.count > NoticeLedger.mostSlots {
            ledger.slots = ledger.slots.filter { present.contains($0.key) }
        }
    }

    /// - Returns: whether any webhook asked for it.
    @discardableResult
    private func queue(_ notice: Notice, in ledger: inout NoticeLedger) -> Bool {
        guard snapshot.webhooks.contains(where: { $0.wants(notice) }) else { return false }
        ledger.outbox.add(notice, for: snapshot.webhooks, at: date, random: random)
        return true
    }
}
