import Bytes
import Versions

/// What a sync found, as documents keep it.
package struct SyncReport: Codable, Sendable, Equatable {
    package struct Change: Codable, Sendable, Equatable {
        package enum Kind: String, Codable, Sendable {
            case appeared, moved, deleted
        }

        /// In full: `refs/tags/v1.2.3`.
        package let reference: String
        package let kind: Kind
        package let from, to: String?
    }

    /// Whether it was the first, which builds nothing and lists no changes.
    package let first: Bool
    package let changes: [Change]
    /// Remarks: refused names, tags that moved or are gone.
    package let remarks: [String]
    package let branches, tags: Int
    /// The numbers of the builds that were queued for it.
    package let queued: [Int]

    /// More are there to be found in the repository.
    private static let limit = 200

    /// - Parameters:
    ///   - isFirst: whether the repository was never synced before.
    ///   - changes: since the sync before.
    ///   - remarks: about names and tags.
    ///   - branches: how many there are.
    ///   - tags: how many there are.
    ///   - queued: the numbers of the builds that were queued for it.
    package init(
        isFirst: Bool,
        changes: [ReferenceChange],
        remarks: [String],
        branches: Int,
        tags: Int,
        queued: [Int],
    ) {
        first = isFirst
        self.changes = isFirst ? [] : changes.prefix(Self.limit).map(Change.init)
        self.remarks = Array(remarks.prefix(Self.limit))
        self.branches = branches
        self.tags = tags
        self.queued = queued
    }
}

extension SyncReport.Change {
    package init(_ change: ReferenceChange) {
        reference = change.reference
        switch change.kind {
        case .appeared(let new): (kind, from, to) = (.appeared, nil, new.description)
        case .moved(let old, let new): (kind, from, to) = (.moved, old, new.description)
        case .deleted(let old): (kind, from, to) = (.deleted, old, nil)
        }
    }

    /// `v1.2.3` or `main`.
    package var name: String {
        reference.droppingPrefix("refs/tags/") ?? reference.droppingPrefix("refs/heads/")
            ?? reference
    }

    package var isTag: Bool { reference.hasPrefix("refs/tags/") }
}
