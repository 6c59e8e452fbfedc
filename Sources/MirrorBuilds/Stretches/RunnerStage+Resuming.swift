import Runners

/// Decides which builds another process can continue, because a runner runs their steps.
extension RunnerStage {
    /// How often a build is resumed after a runner has finished its steps; after that, what follows on the
    /// server is presumed to kill the process.
    private static let resumptionLimit = 3

    /// Whether another process can continue the build of this stage.
    ///
    /// - Parameters:
    ///   - run: the build as the previous process left it.
    ///   - hasCheckout: whether its checkout on the server exists.
    /// - Returns: false if steps on the server would have to be repeated in a checkout that they have
    ///   changed, or that is gone.
    func canGoOn(_ run: MirrorRun, hasCheckout: Bool) -> Bool {
        guard let first = steps.first?.index, run.state == .running, state != .withdrawn
        else { return false }
        let isFirst = !run.steps.prefix(first).contains { $0.state == .succeeded }
        if state == .finished {
            guard run.resumptions ?? 0 < Self.resumptionLimit else { return false }
            return isFirst || hasCheckout && !isFollowed(in: run)
        }
        return isFirst || hasCheckout
    }

    /// Whether steps that come after those of this stage have begun.
    func isFollowed(in run: MirrorRun) -> Bool {
        guard let last = steps.last?.index else { return false }
        return !run.steps.dropFirst(last + 1)
            .allSatisfy { $0.state == .waiting || $0.state == .skipped }
    }
}
