import GitRepositories
import Mirrors
import Releases
import Store
import Versions

/// The facts of a build, fixed before its first step, wherever the steps run.
struct BuildPlan: Sendable {
    let place: MirrorContext
    let mirror: Mirror
    /// As it was when the build began.
    let run: MirrorRun
    let commit: CommitIdentifier
    let pipeline: Pipeline
    let facts: VersionFacts
    /// Empty if the reference is not trusted with secrets.
    var secrets: [String: String]
    /// Whether the mirror trusts the reference or commit that is built.
    var isTrusted = true
    let log: BuildLog

    var store: OTAStore { place.store }
    var record: BuildRecord { BuildRecord(of: run, in: store) }

    /// The steps to run, in stretches.
    var stretches: [Pipeline.Stretch] {
        pipeline.stretches { $0.conditions.hold(for: run) }
    }
}

extension MirrorRun.Step {
    /// A record of a pipeline's step that has not begun.
    init(_ step: Pipeline.Step) {
        self.init(name: step.name)
        if case .runner(let labels) = step.place { runsOn = labels }
    }
}
