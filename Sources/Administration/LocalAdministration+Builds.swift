import Addresses
package import APIDocuments
package import Cryptography
import Foundation
import GitRepositories
import Identifiers
package import MirrorBuilds
package import Mirrors
import Notices
import Releases
import Store
import Versions

extension LocalAdministration {
    /// Queues a manual build.
    ///
    /// - Parameters:
    ///   - name: the mirror's name.
    ///   - request: what to build.
    ///   - seen: the commit that a page showed for the reference; if it has moved since, the request is
    ///     refused.
    ///   - seconds: the time limit of a sync before the build; nil builds from what the last sync fetched.
    /// - Returns: the build.
    /// - Throws: `MirrorRefusal`, `GitFailure`, `StoreFailure`; nothing is queued then.
    package func queueBuild(
        of name: String,
        _ request: BuildRequest,
        seen: String? = nil,
        syncingWithin seconds: Int? = nil,
    ) async throws -> MirrorRun {
        var build = ManualBuild()
        build.tag = try request.tag.map { try TagName($0) }
        build.branch = request.branch
        if let text = request.commit {
            guard let commit = CommitIdentifier(text) else { throw GitFailure.badCommit(text) }
            build.commit = commit
        }
        build.isRebuild = request.rebuild ?? false
        build.seen = seen
        let run = try await mirrorActions().queue(build, of: name, syncingWithin: seconds)
        let detail = "build \(run.number)"
        try admin.store.record(
            admin.activity(.buildAsked, run.mirror.rawValue, detail: detail, at: admin.clock())
        )
        return run
    }

    /// Returns a build's log from an offset on, at most 1 MiB.
    package func log(
        of number: Int,
        _ name: String,
        from offset: Int,
    ) throws -> LogPiece {
        let run = try run(number, of: name)
        return try LogReader(of: run, in: admin.store, mirrorContext().folders).read(from: offset)
    }

    /// The blob of a file that a build has kept.
    package func artifact(
        _ path: String,
        of number: Int,
        _ name: String,
    ) throws -> SHA256Digest {
        let run = try run(number, of: name)
        guard let blob = run.artifacts.first(where: { $0.path == path })?.blob else {
            throw MirrorRefusal.noArtifact(path, build: number)
        }
        return blob
    }

    /// Writes a file that a build has kept to a path.
    ///
    /// - Returns: the number of bytes.
    package func saveArtifact(
        _ path: String,
        of number: Int,
        _ name: String,
        to file: String,
    ) throws -> Int {
        let stored = try admin.store.open(artifact(path, of: number, name))
        try durableCopy(of: stored.source, to: file, mode: .everyoneReads)
        return stored.size
    }

    // MARK: Parts

    /// The context of work on the store's mirrors.
    ///
    /// - Throws: ``MirrorRefusal/noFolder`` if the store has no folder on this machine, and errors of
    ///   reading it.
    package func mirrorContext() throws -> MirrorContext {
        try MirrorContext(of: admin.store, surroundings: surroundings, clock: admin.clock)
    }

    /// Actions on mirrors in this admin's name.
    func mirrorActions() throws -> MirrorActions {
        MirrorActions(in: try mirrorContext(), by: admin.name)
    }

    func run(_ number: Int, of name: String) throws -> MirrorRun {
        let mirror = try admin.store.mirror(named: name)
        guard number > 0, let run = try admin.store.run(number, of: mirror.name) else {
            throw MirrorRefusal.noRun(number)
        }
        return run
    }
}
