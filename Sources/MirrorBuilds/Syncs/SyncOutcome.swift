package import Mirrors

/// What a sync found.
package struct SyncOutcome: Sendable {
    /// Whether it was the mirror's first sync, which builds nothing.
    package let isFirst: Bool
    package let changes: [ReferenceChange]
    /// Builds that were queued for the changes.
    package let queued: [MirrorRun]
    /// Remarks: settings that build no tag, refused names, tags that moved or are gone.
    package let remarks: [String]
    package let branches: Int
    package let tags: Int

    init(_ plan: SyncPlan, of mirror: Mirror, queued: [MirrorRun]) {
        isFirst = plan.isFirst
        changes = plan.changes
        self.queued = queued
        remarks = mirror.remarks + plan.remarks
        branches = plan.branches
        tags = plan.tags
    }
}

extension SyncReport {
    package init(_ report: SyncOutcome) {
        self.init(
            isFirst: report.isFirst,
            changes: report.changes,
            remarks: report.remarks,
            branches: report.branches,
            tags: report.tags,
            queued: report.queued.map(\.number),
        )
    }
}
