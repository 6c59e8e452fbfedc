import Identifiers
import MirrorBuilds
import Releases
import Sandboxing
import Store

/// Notices about a command's builds that wait for a runner, which only a server can assign.
struct RunnerNotice: Sendable {
    private let mirror: Slug
    private let store: OTAStore

    private static let beat = Duration.seconds(2)
    /// The number of beats for which a build waits before the notice.
    private static let patience = 5

    init(of mirror: Slug, in store: OTAStore) {
        self.mirror = mirror
        self.store = store
    }

    /// Checks until the task is cancelled; each build gets one notice.
    func watch(saying say: (String) -> Void) async {
        var beats: [Int: Int] = [:]
        while (try? await Task.sleep(for: Self.beat)) != nil {
            let (mirror, store) = (mirror, store)
            let waiting = await blocking {
                (try? store.runs(of: mirror, count: 20).filter { $0.waitingFor != nil }) ?? []
            }
            for run in waiting {
                let count = (beats[run.number] ?? 0) + 1
                beats[run.number] = count
                guard count == Self.patience, let labels = run.waitingFor else { continue }
                let wanted = RunnerLabel.words(for: labels.map(\.rawValue))
                say(
                    "Build \(run.number) is waiting for a runner with \(wanted). Check that "
                        + "`ota serve` is running on this store, and that `ota runners list` shows "
                        + "such a runner online."
                )
            }
        }
    }
}
