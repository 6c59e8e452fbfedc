package import APIDocuments
package import Mirrors

extension SyncDocument {
    /// What a sync found, from the mirror's state.
    package init(_ report: SyncReport) {
        self.init(
            first: report.first,
            changes: report.changes.map { change in
                Change(
                    change.reference,
                    Change.Kind(change.kind),
                    from: change.from,
                    to: change.to,
                )
            },
            remarks: report.remarks,
            branches: report.branches,
            tags: report.tags,
            queued: report.queued,
        )
    }
}

extension SyncDocument.Change.Kind {
    init(_ kind: SyncReport.Change.Kind) {
        self =
            switch kind {
            case .appeared: .appeared
            case .moved: .moved
            case .deleted: .deleted
            }
    }
}
