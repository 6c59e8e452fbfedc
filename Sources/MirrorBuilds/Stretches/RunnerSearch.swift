import Essentials
import Identifiers
import Runners

/// Which runners may run a stretch of steps, and the sentence for a build that waits for one.
struct RunnerSearch {
    let labels: [RunnerLabel]
    let mirror: Slug
    let runners: [Runner]
    let date: Date

    /// What the build waits for, and what is missing if waiting alone does not help.
    var sentence: String {
        let wanted = labels.map(\.rawValue).joined(separator: ", ")
        let waiting = "waiting for a runner with \(wanted)"
        let unknown = labels.filter { label in !runners.contains { $0.labels.contains(label) } }
        if let label = unknown.first {
            return "\(waiting): no runner has the label \(label); see `ota runners list`"
        }
        let able = runners.filter { runner in labels.allSatisfy(runner.labels.contains) }
        guard !able.isEmpty else {
            return "\(waiting): no runner has all of these labels; see `ota runners list`"
        }
        let allowed = able.filter { $0.serves(mirror, wanting: labels) }
        guard !allowed.isEmpty else {
            return "\(waiting): no registered runner with these labels may build for \(mirror); "
                + "see `ota runners list`"
        }
        guard allowed.contains(where: { $0.isOnline(at: date) }) else {
            return "\(waiting): no runner that may build for \(mirror) is online"
        }
        return waiting
    }
}
