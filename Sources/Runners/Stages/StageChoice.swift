package import Essentials
package import Identifiers

/// Which stage a runner that asks for work is given: the one that was offered first, and a second
/// attempt rather to another runner than the first.
package struct StageChoice: Sendable {
    /// Seconds for which a second attempt waits for another runner.
    package static let patience = 60.0

    private let stages: [RunnerStage]
    private let runners: [Runner]
    private let date: Date

    /// - Parameters:
    ///   - stages: all that there are.
    ///   - runners: all that there are.
    ///   - date: now.
    package init(among stages: [RunnerStage], for runners: [Runner], at date: Date) {
        self.stages = stages.filter { $0.state == .offered }.sorted {
            ($0.offered, $0.mirror.rawValue, $0.build) < ($1.offered, $1.mirror.rawValue, $1.build)
        }
        self.runners = runners
        self.date = date
    }

    /// Whether nobody can be given anything.
    package var isEmpty: Bool { stages.isEmpty }

    /// The stages that a runner may be given, the one it should have first.
    package func stages(for runner: Runner) -> [RunnerStage] {
        stages.filter {
            runner.serves($0.mirror, wanting: $0.labels) && !isKept($0, from: runner)
        }
    }

    /// Whether another runner should have it, which is probably there.
    private func isKept(_ stage: RunnerStage, from runner: Runner) -> Bool {
        guard let last = stage.attempts.last, last.runner == runner.name else { return false }
        let end = last.until.addingTimeInterval(Self.patience)
        // A clock that was set back keeps nothing for ever.
        guard date < end, end.timeIntervalSince(date) < 10 * Self.patience else { return false }
        return runners.contains { other in
            other.name != runner.name && other.serves(stage.mirror, wanting: stage.labels)
                && other.isOnline(at: date)
        }
    }
}

/// What a runner holds, or when the next lease ends.
extension Sequence<RunnerStage> {
    /// The stage that a runner works on; it has one at a time.
    package func held(by runner: Slug) -> RunnerStage? {
        first { $0.state == .leased && $0.attempts.last?.runner == runner }
    }

    /// When the first lease ends, if nobody is heard from.
    package var nextEnd: Date? {
        compactMap { $0.state == .leased ? $0.attempts.last?.until : nil }.min()
    }
}
