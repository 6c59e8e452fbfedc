package import Essentials
package import Versions

/// What is known of a mirror's repository so far: `following/{mirror}.json`.
package struct MirrorState: Codable, Sendable, Equatable {
    package var schema = 1
    /// The commits of branches and tags as the last sync found them, by full name.
    package var references: [String: String] = [:]
    /// The commit that each tag of a version was first seen on, also of tags that are gone.
    package var tags: [String: String] = [:]
    /// Where tags are now that have moved, until a later version is tagged or a user has them built
    /// again.
    package var moved: [String: String]?
    package var synced: Date?
    /// Whether a sync has succeeded; the first builds nothing.
    package var hasSynced = false
    /// What the last sync that succeeded has found.
    package var report: SyncReport?
    /// Why the last sync, at that time, failed.
    package var problem: String?
    /// The problem's identifier and fix; nil where nothing failed, as when the queue had no room.
    package var failure: SyncFailure?
    /// The number of the next build.
    package var next = 1
    /// Every build up to this number has ended; nil before any has.
    package var settled: Int?
    /// Deliveries of webhooks that were taken, oldest first.
    package var deliveries: [String] = []
    /// A sync was asked for and has not begun.
    package var isDue = false
    /// Who asked for it; nil for a webhook.
    package var asker: String?
    /// The number of the last sync that was asked for.
    package var asked: Int?
    /// The last of them that is over, whether it succeeded or not.
    package var answered: Int?

    /// The documents keep the names that they had at first.
    private enum CodingKeys: String, CodingKey {
        case schema, references, tags, moved, report, problem, failure, next, settled, deliveries
        case isDue, asker, asked, answered
        case synced = "looked"
        case hasSynced = "hasLooked"
    }

    package static let deliveryLimit = 2000
    /// Beyond, tags that are gone are forgotten: the document must stay one that can be read.
    private static let tagLimit = 100_000

    package init() {}

    /// Notes where the tags of versions are.
    ///
    /// - Parameters:
    ///   - changes: since the sync before.
    ///   - newest: the newest version that was queued for them.
    ///   - version: what the tag of a full name is built as, if it is.
    package mutating func note(
        _ changes: [ReferenceChange],
        newest: Version?,
        version: (String) -> Version?,
    ) {
        // A later version is the answer to what moved before it.
        var moved = (self.moved ?? [:]).filter { reference, _ in
            guard let newest, let version = version(reference) else { return true }
            return version > newest
        }
        for change in changes where change.isTag {
            let reference = change.reference
            moved[reference] = nil
            guard let commit = change.commit?.description, version(reference) != nil else {
                continue
            }
            let first = first(of: change) ?? commit
            tags[reference] = first
            if first != commit { moved[reference] = commit }
        }
        self.moved = moved.isEmpty ? nil : moved
        if tags.count > Self.tagLimit { tags = tags.filter { references[$0.key] != nil } }
    }

    /// The commit that a tag was on when it was first seen; nil for one that is new.
    package func first(of change: ReferenceChange) -> String? {
        if let first = tags[change.reference] { return first }
        guard case .moved(let from, _) = change.kind else { return nil }
        return from
    }

    /// Takes a moved tag for one that is where it belongs.
    package mutating func accept(_ reference: String, on commit: String) {
        // It may have gone on since the build was asked for.
        guard references[reference] == nil || references[reference] == commit else { return }
        tags[reference] = commit
        moved?[reference] = nil
    }

    /// Forgets how the last sync went, which says nothing about a new address.
    package mutating func moveToNewAddress() {
        synced = nil
        problem = nil
        failure = nil
    }

    /// Asks for a sync, which a running server takes up.
    ///
    /// - Returns: the sync's number, which ``answered`` has reached when it is over.
    @discardableResult
    package mutating func ask(by actor: String) -> Int {
        let number = (asked ?? 0) + 1
        asked = number
        isDue = true
        asker = actor
        // What failed before does not hold this one up.
        problem = nil
        failure = nil
        return number
    }
}
