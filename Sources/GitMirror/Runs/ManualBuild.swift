package import Versions

/// Asks for a build by hand: of a tag, a branch, or a commit that may be called after a tag.
package struct ManualBuild: Sendable {
    package var tag: TagName?
    package var branch: String?
    package var commit: CommitIdentifier?
    /// Whether a tag that has moved is built all the same, and may replace its release.
    package var isRebuild = false

    package init() {}

    /// Queues it.
    ///
    /// - Throws: ``MirrorRefusal``, ``GitFailure`` for what is not in the repository, ``StoreFailure``.
    package func queue(
        for mirror: Mirror,
        in place: BuildPlace,
        by actor: String,
    ) async throws -> MirrorRun {
        let repository = place.repository(of: mirror)
        var request = try await request(in: repository, of: mirror, by: actor)
        request.isRebuild = isRebuild
        if let tag, let reference = request.reference, commit == nil {
            let first = try place.store.following(mirror.name).tags[reference]
            if let first, first != request.commit.description, !isRebuild {
                throw MirrorRefusal.movedTag(
                    tag.rawValue,
                    from: first,
                    to: request.commit.description,
                )
            }
        }
        guard let run = try RunQueue(of: mirror.name, in: place).add(request) else {
            throw MirrorRefusal.nothingToBuild
        }
        try place.store.accept(request, of: mirror.name)
        return run
    }

    private func request(
        in repository: BareRepository,
        of mirror: Mirror,
        by actor: String,
    ) async throws -> RunRequest {
        if let commit {
            let found = try await repository.commit(of: commit.description)
            return RunRequest(.manual, by: actor, reference: nil, commit: found, tag: tag)
        }
        if let branch {
            let reference = try Self.reference(branch: branch)
            let commit = try await repository.commit(of: reference)
            return RunRequest(.manual, by: actor, reference: reference, commit: commit, tag: tag)
        }
        if let tag {
            let commit = try await repository.commit(of: tag.reference)
            return RunRequest(
                .manual,
                by: actor,
                reference: tag.reference,
                commit: commit,
                tag: tag,
            )
        }
        let there = Set(try await repository.references().map(\.name))
        let branches = ["refs/heads/main", "refs/heads/master"]
        guard let reference = branches.first(where: there.contains) else {
            throw MirrorRefusal.nothingToBuild
        }
        let commit = try await repository.commit(of: reference)
        return RunRequest(.manual, by: actor, reference: reference, commit: commit)
    }

    /// The full name of a branch, from an alphabet in which nothing can be taken for anything else.
    private static func reference(branch: String) throws(GitFailure) -> String {
        guard (try? TagName(branch)) != nil else { throw .badReference(branch) }
        return "refs/heads/\(branch)"
    }
}
