import Runners

/// Which builds another process can continue where they are, because a runner runs their steps.
extension RunnerStage {
    /// Times that a build is taken up whose steps a runner has finished, before what follows on the server is
    /// taken for what ends it.
    private static let resumptionLimit = 3

    /// Whether the build of this stage can continue in another process.
    ///
    /// - Parameters:
    ///   - run: the build, as the process before has left it.
    ///   - hasCheckout: whether its checkout on the server is there.
    /// - Returns: no where steps of the server's own would have to be repeated in a checkout that they have
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
