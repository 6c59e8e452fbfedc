/// Which stages a runner takes.
extension Runner {
    /// Whether it can take a stage.
    package func serves(_ stage: RunnerStage) -> Bool {
        serves(stage.mirror, wanting: stage.labels) && mayBuild(stage)
    }

    /// Whether its settings allow it the build of a stage, which it may have taken already.
    package func mayBuild(_ stage: RunnerStage) -> Bool {
        mirrors.contains(stage.mirror) && takes(untrusted: stage.isUntrusted == true)
    }
}
