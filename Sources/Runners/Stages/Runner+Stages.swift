/// Decides which stages a runner takes.
extension Runner {
    /// Whether the runner can take a stage.
    package func serves(_ stage: RunnerStage) -> Bool {
        serves(stage.mirror, wanting: stage.labels) && mayBuild(stage)
    }

    /// Whether the runner's settings allow it to build a stage, including one that it has already taken.
    package func mayBuild(_ stage: RunnerStage) -> Bool {
        mirrors.contains(stage.mirror) && takes(untrusted: stage.isUntrusted == true)
    }
}
