import GitRepositories
package import Mirrors
import Sandboxing
package import Versions

/// A request for a manual build: of a tag, a branch, or a commit that may be given a tag's name.
package struct ManualBuild: Sendable {
    package var tag: TagName?
    package var branch: String?
    package var commit: CommitIdentifier?
    /// Whether to build a tag that has moved, and allow the build to replace the tag's release.
    package var isRebuild = false
    /// The commit that the page showed for the reference; if the reference has moved since, the request is
    /// refused.
    package var seen: String?

    package init() {}

    /// Refuses a request that names two commits.
    ///
    /// - Throws: ``MirrorRefusal/badSetting(_:_:)``.
    func check() throws(MirrorRefusal) {
        guard branch == nil || commit == nil else {
            throw .badSetting("commit", "left out where a branch is named")
        }
    }

    /// Queues the build.
    ///
    /// - Throws: ``MirrorRefusal``, ``GitFailure`` for a reference or commit that is not in the repository,
    ///   ``StoreFailure``.
    package func queue(
        for mirror: Mirror,
        in place: MirrorContext,
        by actor: String,
    ) async throws -> MirrorRun {
        try mirror.checkInUse()
        let repository = place.repository(of: mirror)
        let name = mirror.name
        guard try await blocking({ try place.store.mirrorState(name) }).hasSynced else {
            throw MirrorRefusal.notSynced(name)
        }
        var request = try await request(in: repository, of: mirror, by: actor)
        if let seen, request.commit.description != seen {
            throw MirrorRefusal.movedAgain(
                request.reference ?? request.commit.description,
                to: request.commit.description,
            )
        }
        request.isRebuild = isRebuild
        let asked = request
        return try await blocking {
            try RunQueue(of: name, in: place).addByHand(asked, prefix: mirror.prefix)
        }
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
        let reference = try Self.mainBranch(where: there.contains)
        let commit = try await repository.commit(of: reference)
        return RunRequest(.manual, by: actor, reference: reference, commit: commit)
    }

    /// The branch that is built if the request names nothing.
    static func mainBranch(
        where isThere: (String) -> Bool
    ) throws(MirrorRefusal) -> String {
        let names = ["refs/heads/main", "refs/heads/master"]
        guard let name = names.first(where: isThere) else { throw .nothingToBuild }
        return name
    }

    /// The full name of a branch, limited to characters that git cannot read as anything else.
    private static func reference(branch: String) throws(GitFailure) -> String {
        guard (try? TagName(branch)) != nil else { throw .badReference(branch) }
        return "refs/heads/\(branch)"
    }
}
