import Bytes

/// What a sync found.
package struct SyncDocument: Codable, Sendable, Equatable {
    package struct Change: Codable, Sendable, Equatable {
        package enum Kind: String, Codable, Sendable, CaseIterable {
            case appeared, moved, deleted
        }

        /// In full: `refs/tags/v1.2.3`.
        package let reference: String
        package let kind: Kind
        /// Commits.
        package let from, to: String?

        package init(_ reference: String, _ kind: Kind, from: String?, to: String?) {
            self.reference = reference
            self.kind = kind
            self.from = from
            self.to = to
        }

        /// `v1.2.3` or `main`.
        package var name: String {
            reference.droppingPrefix("refs/tags/") ?? reference.droppingPrefix("refs/heads/")
                ?? reference
        }

        package var isTag: Bool { reference.hasBytes(first: "refs/tags/") }
    }

    /// Whether this was the first sync, which builds nothing and lists no changes.
    package let first: Bool
    package let changes: [Change]
    /// Remarks: refused names, tags that moved or are gone.
    package let remarks: [String]
    package let branches, tags: Int
    /// The numbers of the builds that were queued for it.
    package let queued: [Int]

    /// - Parameters:
    ///   - first: whether the repository was never synced before.
    ///   - changes: since the sync before.
    ///   - remarks: about names and tags.
    ///   - branches: how many there are.
    ///   - tags: how many there are.
    ///   - queued: the numbers of the builds that were queued for it.
    package init(
        first: Bool,
        changes: [Change],
        remarks: [String],
        branches: Int,
        tags: Int,
        queued: [Int],
    ) {
        self.first = first
        self.changes = changes
        self.remarks = remarks
        self.branches = branches
        self.tags = tags
        self.queued = queued
    }
}
