import Bytes

/// The result of a sync.
package struct SyncDocument: Codable, Sendable, Equatable {
    package struct Change: Codable, Sendable, Equatable {
        package enum Kind: String, Codable, Sendable, CaseIterable {
            case appeared, moved, deleted
        }

        /// The full name of the reference: `refs/tags/v1.2.3`.
        package let reference: String
        package let kind: Kind
        /// The commits.
        package let from, to: String?

        package init(_ reference: String, _ kind: Kind, from: String?, to: String?) {
            self.reference = reference
            self.kind = kind
            self.from = from
            self.to = to
        }

        /// The short name: `v1.2.3` or `main`.
        package var name: String {
            reference.droppingPrefix("refs/tags/") ?? reference.droppingPrefix("refs/heads/")
                ?? reference
        }

        package var isTag: Bool { reference.hasBytes(first: "refs/tags/") }
    }

    /// Whether this was the first sync, which builds nothing and lists no changes.
    package let first: Bool
    package let changes: [Change]
    /// Remarks about rejected names, and tags that moved or were deleted.
    package let remarks: [String]
    package let branches, tags: Int
    /// The numbers of the builds that it queued.
    package let queued: [Int]

    /// - Parameters:
    ///   - first: whether this was the first sync of the repository.
    ///   - changes: the changes since the previous sync.
    ///   - remarks: remarks about names and tags.
    ///   - branches: the number of branches.
    ///   - tags: the number of tags.
    ///   - queued: the numbers of the builds that it queued.
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
