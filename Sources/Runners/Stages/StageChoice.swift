package import Essentials
package import Identifiers

/// Chooses the stage that a runner receives when it asks for work: the one that was offered first.
///
/// A second attempt goes to another runner if possible.
package struct StageChoice: Sendable {
    /// Seconds for which a second attempt is reserved for another runner.
    package static let patience = 60.0

    private let stages: [RunnerStage]
    private let runners: [Runner]
    private let paused: Set<Slug>
    private let date: Date

    /// - Parameters:
    ///   - stages: all stages.
    ///   - runners: all runners.
    ///   - paused: the paused mirrors, whose stages wait.
    ///   - date: the current time.
    package init(
        among stages: [RunnerStage],
        for runners: [Runner],
        exceptOf paused: Set<Slug> = [],
        at date: Date,
    ) {
        self.stages = stages.filter { $0.state == .offered }.sorted {
            ($0.offered, $0.mirror.rawValue, $0.build) < ($1.offered, $1.mirror.rawValue, $1.build)
        }
        self.runners = runners
        self.paused = paused
        self.date = date
    }

    /// Whether there is no offered stage at all, including stages for other runners and of paused mirrors.
    package var isEmpty: Bool { stages.isEmpty }

    /// The stages that a runner may receive, best first.
    package func stages(for runner: Runner) -> [RunnerStage] {
        stages.filter {
            runner.serves($0) && !paused.contains($0.mirror) && !isKept($0, from: runner)
        }
    }

    /// Whether another runner, which is probably online, should get the stage.
    private func isKept(_ stage: RunnerStage, from runner: Runner) -> Bool {
        guard let last = stage.attempts.last, last.runner == runner.name else { return false }
        let end = last.until.addingTimeInterval(Self.patience)
        // A clock that was set back must not delay this forever.
        guard date < end, end.timeIntervalSince(date) < 10 * Self.patience else { return false }
        return runners.contains { other in
            other.name != runner.name && other.serves(stage) && other.isOnline(at: date)
        }
    }
}

/// The stage that a runner holds, and when the next lease ends.
extension Sequence<RunnerStage> {
    /// The stage that a runner holds; it holds at most one.
    package func held(by runner: Slug) -> RunnerStage? {
        first { $0.state == .leased && $0.attempts.last?.runner == runner }
    }

    /// When the first lease ends, if no runner is heard from.
    package var nextEnd: Date? {
        compactMap { $0.state == .leased ? $0.attempts.last?.until : nil }.min()
    }
}
