import Mirrors

/// How long a whole build may take, and who says so.
struct BuildTime: Sendable, CustomStringConvertible {
    let seconds: Int
    private let isOfPipeline: Bool
    /// When it must be over.
    let deadline: ContinuousClock.Instant

    /// A pipeline may ask for less than its mirror allows.
    init(
        of pipeline: Pipeline,
        for mirror: Mirror,
        from start: ContinuousClock.Instant,
    ) {
        let most = mirror.limits.buildSeconds
        seconds = min(pipeline.timeout ?? most, most)
        isOfPipeline = seconds < most
        deadline = start + .seconds(seconds)
    }

    var description: String {
        let source = isOfPipeline ? "the timeout of the pipeline" : "the mirror's time limit"
        return "the time limit of the whole build is \(seconds) s, by \(source)"
    }
}
