package import APIDocuments
import GitRepositories
import Identifiers
package import MirrorBuilds
package import Mirrors
import Versions

extension MirrorDocument {
    private static let movedTagLimit = 200

    /// - Parameters:
    ///   - mirror: the settings.
    ///   - state: what the last syncs found.
    ///   - secrets: only their names and kinds are shown.
    ///   - runs: the latest builds, newest first.
    package init(
        _ mirror: Mirror,
        _ state: MirrorState,
        _ secrets: MirrorSecrets,
        runs: [MirrorRun],
    ) {
        self.init(name: mirror.name.rawValue, address: mirror.address.description)
        tags = mirror.tags.map(\.description)
        branches = mirror.branches.map(\.description)
        trusted = mirror.trusted.map(\.description)
        apps = mirror.apps?.map(\.description)
        prefix = mirror.prefix
        user = mirror.user
        submodules = mirror.submodules?.rawValue
        pipelinePath = mirror.pipelinePath
        hasOwnPipeline = mirror.pipeline != nil
        isPaused = mirror.isPaused
        allowsNetwork = mirror.allowsNetwork
        isolation = mirror.isolation.rawValue
        interval = mirror.interval
        timeLimit = mirror.limits.buildSeconds
        sizeLimit = mirror.limits.fileBytes >> 20
        memoryLimit = mirror.limits.memory.map { $0 >> 20 }
        diskLimit = (mirror.limits.diskBytes ?? MirrorLimits.defaultDiskBytes) >> 20
        symbolicLinks = mirror.makesSymbolicLinks
        readFolders = mirror.readableFolders
        isPublicOnly = mirror.isPublicOnly == true ? true : nil
        variables = secrets.variables.keys.sorted()
        hasHookSecret = secrets.hook != nil
        let credentials = CredentialDocument.all(of: secrets)
        self.credentials = credentials.isEmpty ? nil : credentials
        remarks = mirror.remarks.isEmpty ? nil : mirror.remarks
        synced = state.synced
        problem = state.problem
        failure = state.failure.map { Failure(id: $0.id, fix: $0.fix) }
        report = state.report.map(SyncDocument.init)
        let moved = MovedTag.all(of: state)
        movedTags =
            moved.isEmpty
            ? nil
            : moved.prefix(Self.movedTagLimit).map { Moved(tag: $0.tag, from: $0.from, to: $0.to) }
        isDue = state.isDue
        answered = state.answered
        waiting = runs.count { $0.state == .queued }
        latest = runs.first.map(RunDocument.init)
    }
}
