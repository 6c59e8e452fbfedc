import Foundation
import GitRepositories
import Mirrors
import Runners
import SiteServices
import Store
import Versions

/// The commit of a stage as a git bundle, for one request.
struct StageBundle {
    let visit: StageVisit
    let stage: RunnerStage

    /// Seconds after which a folder was left by a killed server.
    private static let leftover = 6 * 3600.0

    /// Creates the bundle; its file is open and already unlinked.
    ///
    /// - Parameter known: commits that the agent already has.
    /// - Returns: the bundle.
    /// - Throws: ``RunnerRefusal/noRepository(_:)``, `GitFailure`, and `StoreFailure`.
    func made(without known: [CommitIdentifier]) async throws -> CommitBundle {
        guard let commit = CommitIdentifier(stage.commit) else {
            throw GitFailure.badCommit(stage.commit)
        }
        let folders = try visit.folders()
        let path = folders.repository(visit.mirror)
        guard FileManager.default.fileExists(atPath: path + "/HEAD"),
            let mirror = try visit.site.store.mirrors()[visit.mirror]
        else { throw RunnerRefusal.noRepository(visit.mirror) }
        let top = folders.bundles(of: visit.mirror)
        removeLeftovers(in: top)
        let folder = "\(top)/\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: folder,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700],
        )
        defer { try? FileManager.default.removeItem(atPath: folder) }
        return try await BareRepository(path: path, limits: mirror.limits.ofRepository)
            .bundle(commit, without: known, in: folder)
    }

    private func removeLeftovers(in top: String) {
        let manager = FileManager.default
        for name in (try? manager.contentsOfDirectory(atPath: top)) ?? [] {
            let path = "\(top)/\(name)"
            let attributes = try? manager.attributesOfItem(atPath: path)
            guard let date = attributes?[.modificationDate] as? Date,
                abs(date.timeIntervalSinceNow) > Self.leftover
            else { continue }
            try? manager.removeItem(atPath: path)
        }
    }
}
