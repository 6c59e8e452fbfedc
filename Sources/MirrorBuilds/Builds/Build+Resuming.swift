import Mirrors
import Releases
import Runners
import Versions

/// Resumption of builds that an earlier process left at a stage.
extension Build {
    /// Whether the stage is the first of its build.
    func isFirst(_ stage: RunnerStage?, in plan: BuildPlan) -> Bool {
        stage?.steps.first?.index == plan.stretches.first?.steps.first
    }

    /// Returns the build's plan, from its record: tags may have moved since.
    ///
    /// - Throws: ``BuildStop/interrupted`` if the pipeline has changed, so that the stage is no longer part
    ///   of it, or if the checkout that the stage needs is gone.
    func resumed(
        _ stage: RunnerStage,
        with secrets: [String: String],
        _ log: BuildLog,
    ) async throws -> BuildPlan {
        let repository = place.repository(of: mirror)
        guard let facts = VersionFacts(recordedIn: stage.environment) else {
            throw BuildStop.interrupted
        }
        var plan = BuildPlan(
            place: place,
            mirror: mirror,
            run: run,
            commit: commit,
            pipeline: try await pipeline(in: repository),
            facts: facts,
            secrets: secrets,
            log: log,
        )
        guard let stretch = plan.stretches.first(where: { $0.steps == stage.steps.map(\.index) }),
            stretch.labels == stage.labels,
            RunnerSteps.steps(of: stretch, in: plan) == stage.steps,
            plan.pipeline.handedIn(by: run) == stage.artifacts,
            plan.pipeline.steps.count == run.steps.count
        else { throw BuildStop.interrupted }
        guard isFirst(stage, in: plan) || workspace.isThere else { throw BuildStop.interrupted }
        plan.isTrusted = try await isTrusted(in: repository)
        if !plan.isTrusted { plan.secrets = [:] }
        if try await self.facts(in: repository) != facts {
            let words = "tags moved while the build ran; it is still \(facts.version)"
            try await plan.record.change { run in
                if !run.warnings.contains(words) { run.warnings.append(words) }
            }
        }
        return plan
    }
}
