package import Cryptography
package import Essentials
import Identifiers
package import Store
import Synchronization

/// Runs the planner when something on which its orders depend has changed, and once an hour.
///
/// While nothing changes, a check reads the state of a few files.
package final class UpkeepWatch: Sendable {
    private let store: OTAStore
    private let planner: UpkeepPlanner
    private let anchors: @Sendable () throws -> TrustAnchors
    private let clock: @Sendable () -> Date
    private let state = Mutex(State())

    /// Seconds after which the planner runs even if nothing has changed, because dates pass.
    private static let longestSilence: TimeInterval = 3600

    private struct State {
        /// The documents' versions when the planner ran; nil if one was about to change.
        var seen: [ChangeStamp]?
        var asked: Date?
    }

    /// - Parameters:
    ///   - store: the store.
    ///   - planner: derives the necessary jobs.
    ///   - anchors: returns the trust anchors for profiles.
    ///   - clock: returns the current time.
    package init(
        _ store: OTAStore,
        planner: UpkeepPlanner,
        trusting anchors: @escaping @Sendable () throws -> TrustAnchors,
        clock: @escaping @Sendable () -> Date,
    ) {
        self.store = store
        self.planner = planner
        self.anchors = anchors
        self.clock = clock
    }

    /// Queues the jobs that are necessary now; may block on the disk.
    ///
    /// - Throws: `JobRefusal/queueFull(_:)` and ``StoreFailure``.
    package func look() throws {
        let now = clock()
        let stamps = try store.upkeepStamps()
        let isQuiet = state.withLock { state in
            guard let stamps, state.seen == stamps, let asked = state.asked else { return false }
            return (0..<Self.longestSilence).contains(now.timeIntervalSince(asked))
        }
        guard !isQuiet else { return }
        let upkeep = try UpkeepState(store, trusting: anchors(), at: now)
        try store.perform(planner.orders(for: upkeep, at: now), at: now)
        let isSettled = stamps?.allSatisfy(\.isSettled) ?? false
        state.withLock { state in
            state.seen = isSettled ? stamps : nil
            state.asked = now
        }
    }
}
