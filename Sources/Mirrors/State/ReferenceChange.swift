import Bytes
package import GitRepositories
package import Versions

/// A change of a branch or tag between two syncs.
package struct ReferenceChange: Sendable, Equatable {
    package enum Kind: Sendable, Equatable {
        case appeared(CommitIdentifier)
        case moved(from: String, to: CommitIdentifier)
        case deleted(from: String)
    }

    /// The full name: `refs/tags/v1.2.3`.
    package let reference: String
    package let kind: Kind

    /// `v1.2.3` or `main`.
    package var name: String {
        reference.droppingPrefix("refs/tags/") ?? reference.droppingPrefix("refs/heads/")
            ?? reference
    }

    /// The current commit; nil if the reference was deleted.
    package var commit: CommitIdentifier? {
        switch kind {
        case .appeared(let commit), .moved(_, let commit): commit
        case .deleted: nil
        }
    }

    package var isTag: Bool { reference.hasPrefix("refs/tags/") }

    /// Compares the references of two syncs, by name.
    package static func between(
        _ old: [String: String],
        _ new: [BareRepository.Reference],
    ) -> [ReferenceChange] {
        var changes: [ReferenceChange] = []
        for reference in new {
            if let before = old[reference.name] {
                guard before != reference.commit.description else { continue }
                changes.append(
                    ReferenceChange(
                        reference: reference.name,
                        kind: .moved(from: before, to: reference.commit),
                    )
                )
            } else {
                changes.append(
                    ReferenceChange(reference: reference.name, kind: .appeared(reference.commit))
                )
            }
        }
        let there = Set(new.map(\.name))
        for (name, commit) in old where !there.contains(name) {
            changes.append(ReferenceChange(reference: name, kind: .deleted(from: commit)))
        }
        return changes.sorted { $0.reference < $1.reference }
    }
}
