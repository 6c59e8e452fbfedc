import Identifiers
import MirrorBuilds
import Releases
import Sandboxing
import Store

/// Says that builds of a command wait for runners, which only a server can give them to.
struct RunnerNotice: Sendable {
    private let mirror: Slug
    private let store: OTAStore

    private static let beat = Duration.seconds(2)
    /// Beats for which a build waits before that is said.
    private static let patience = 5

    init(of mirror: Slug, in store: OTAStore) {
        self.mirror = mirror
        self.store = store
    }

    /// Looks until the task is cancelled; each build is told of once.
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
                let wanted = labels.map(\.rawValue).joined(separator: ", ")
                say(
                    "Build \(run.number) waits for a runner with \(wanted). A server on this store "
                        + "gives it to one: is `ota serve` running, and is a runner in `ota runners "
                        + "list` online?"
                )
            }
        }
    }
}
