package import Essentials
package import Versions

/// What the server knows of a mirror's repository: `following/{mirror}.json`.
package struct MirrorState: Codable, Sendable, Equatable {
    package var schema = 1
    /// The commits of branches and tags as the last sync found them, by full name.
    package var references: [String: String] = [:]
    /// The commit on which each version tag was first seen, including deleted tags.
    package var tags: [String: String] = [:]
    /// The current commits of tags that have moved, until a later version is tagged or a user has them
    /// built again.
    package var moved: [String: String]?
    package var synced: Date?
    /// Whether a sync has succeeded; the first builds nothing.
    package var hasSynced = false
    /// What the last successful sync found.
    package var report: SyncReport?
    /// Why the last sync, at ``synced``, failed; nil if it succeeded.
    package var problem: String?
    /// The problem's identifier and fix; nil if no sync failed, such as when the queue had no room.
    package var failure: SyncFailure?
    /// The number of the next build.
    package var next = 1
    /// Every build up to this number has ended; nil before any has.
    package var settled: Int?
    /// The identifiers of accepted webhook deliveries, oldest first.
    package var deliveries: [String] = []
    /// Whether a sync was requested and has not begun.
    package var isDue = false
    /// Who requested it; nil for a webhook.
    package var asker: String?
    /// The number of the last requested sync.
    package var asked: Int?
    /// The number of the last requested sync that is over, whether it succeeded or not.
    package var answered: Int?

    /// The document keeps its original key names.
    private enum CodingKeys: String, CodingKey {
        case schema, references, tags, moved, report, problem, failure, next, settled, deliveries
        case isDue, asker, asked, answered
        case synced = "looked"
        case hasSynced = "hasLooked"
    }

    package static let deliveryLimit = 2000
    /// Above this number, deleted tags are forgotten, so that the document stays small enough to be read.
    private static let tagLimit = 100_000

    package init() {}

    /// Records the commits of version tags.
    ///
    /// - Parameters:
    ///   - changes: the changes since the previous sync.
    ///   - newest: the newest version that was queued for them.
    ///   - version: returns the version as which the tag of a full name is built; nil if it is not.
    package mutating func note(
        _ changes: [ReferenceChange],
        newest: Version?,
        version: (String) -> Version?,
    ) {
        // A later version supersedes the tags that moved before it.
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

    /// The commit on which a tag was first seen; nil for a new tag.
    package func first(of change: ReferenceChange) -> String? {
        if let first = tags[change.reference] { return first }
        guard case .moved(let from, _) = change.kind else { return nil }
        return from
    }

    /// Accepts a moved tag as being on the right commit.
    package mutating func accept(_ reference: String, on commit: String) {
        // The tag may have moved again since the build was requested.
        guard references[reference] == nil || references[reference] == commit else { return }
        tags[reference] = commit
        moved?[reference] = nil
    }

    /// Discards the result of the last sync, which says nothing about a new address.
    package mutating func moveToNewAddress() {
        synced = nil
        problem = nil
        failure = nil
    }

    /// Requests a sync, which a running server performs.
    ///
    /// - Returns: the sync's number; the sync is over once ``answered`` has reached it.
    @discardableResult
    package mutating func ask(by actor: String) -> Int {
        let number = (asked ?? 0) + 1
        asked = number
        isDue = true
        asker = actor
        // An earlier failure must not delay this sync.
        problem = nil
        failure = nil
        return number
    }
}
