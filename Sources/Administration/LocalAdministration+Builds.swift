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
    /// Queues a build by hand.
    ///
    /// - Parameters:
    ///   - name: of the mirror.
    ///   - request: what is to be built.
    ///   - seen: the commit that it was shown on, where a page did; another one now is refused.
    ///   - seconds: syncs the mirror first, and gives up after these; nil builds what is known.
    /// - Returns: the build.
    /// - Throws: `MirrorRefusal`, `GitFailure`, `StoreFailure`; nothing was queued then.
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

    /// What a build's log has behind an offset, at most a megabyte.
    package func log(
        of number: Int,
        _ name: String,
        from offset: Int,
    ) throws -> LogPiece {
        let run = try run(number, of: name)
        return try LogReader(of: run, in: admin.store, mirrorContext().folders).read(from: offset)
    }

    /// The blob that a build has kept of a file.
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

    /// Writes what a build made and kept into a file.
    ///
    /// - Returns: how many bytes that are.
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

    /// What work on the store's mirrors needs.
    ///
    /// - Throws: ``MirrorRefusal/noFolder`` where the store is no folder, and what reads it.
    package func mirrorContext() throws -> MirrorContext {
        try MirrorContext(of: admin.store, surroundings: surroundings, clock: admin.clock)
    }

    /// What an admin does with mirrors, in this one's name.
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
