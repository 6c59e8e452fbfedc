import Mirrors

/// The time limit of a whole build, and whether the pipeline or the mirror sets it.
struct BuildTime: Sendable, CustomStringConvertible {
    let seconds: Int
    private let isOfPipeline: Bool
    /// When the build must have ended.
    private(set) var deadline: ContinuousClock.Instant

    /// A pipeline may set a shorter limit than its mirror allows.
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

    /// The whole seconds that are left.
    var left: Int { max(0, Int((deadline - .now).components.seconds)) }

    /// Extends the deadline by a time in which the build only waited.
    mutating func add(_ pause: Duration) {
        deadline += max(.zero, pause)
    }

    /// Limits the remaining time to these seconds, for a build that an earlier process began.
    mutating func leave(_ seconds: Int) {
        deadline = min(deadline, .now + .seconds(seconds))
    }

    var description: String {
        let source =
            isOfPipeline ? "the timeout of the pipeline" : "the mirror's time limit (--time-limit)"
        return "the time limit of the whole build is \(seconds) s, by \(source)"
    }
}
