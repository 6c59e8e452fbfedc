import Bytes
import Versions

/// What a sync found, in the form kept in documents.
package struct SyncReport: Codable, Sendable, Equatable {
    package struct Change: Codable, Sendable, Equatable {
        package enum Kind: String, Codable, Sendable {
            case appeared, moved, deleted
        }

        /// The full name: `refs/tags/v1.2.3`.
        package let reference: String
        package let kind: Kind
        package let from, to: String?
    }

    /// Whether it was the mirror's first sync, which builds nothing and lists no changes.
    package let first: Bool
    package let changes: [Change]
    /// Remarks: refused names, tags that moved or are gone.
    package let remarks: [String]
    package let branches, tags: Int
    /// The numbers of the builds that the sync queued.
    package let queued: [Int]

    /// The largest number of changes; the repository has the others.
    private static let limit = 200

    /// - Parameters:
    ///   - isFirst: whether it is the mirror's first sync.
    ///   - changes: the changes since the previous sync.
    ///   - remarks: remarks about names and tags.
    ///   - branches: the number of branches.
    ///   - tags: the number of tags.
    ///   - queued: the numbers of the builds that the sync queued.
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
