import Dispatch
package import Releases
import Synchronization

/// Follows the activity journals and passes new activity to every subscriber in this process.
///
/// It reads the store once per interval, however many subscribers there are, on its own thread because the
/// read blocks on the disk. Where the system reports writes to a journal, it reads at once. A subscriber
/// that is notified of an activity then reads the store as it was at that time, or newer. The read position
/// is kept per journal, so nothing is missed when the month changes or a clock jumps into another month and
/// back. A subscriber that must miss nothing across a restart stores its own position, which
/// ``OTAStore/news(beyond:count:)`` takes, and uses ``beats(every:)``.
///
/// It is in this target because only the store knows how journals are named and read.
package final class ActivityFollower: Sendable {
    /// What one read of the journals found.
    package struct Look: Sendable {
        /// New activity since the previous read, in the order of each journal.
        package fileprivate(set) var found: [(activity: Activity, cursor: ActivityCursor)] = []
        /// Lines that cannot be read.
        package fileprivate(set) var failures: [StoreFailure] = []
        /// Why the journals could not be read; the next attempt starts at the same position.
        package fileprivate(set) var obstacle: StoreFailure?

        /// Whether there is nothing to report.
        package var isEmpty: Bool { found.isEmpty && failures.isEmpty && obstacle == nil }
    }

    private struct State {
        var next = 0
        var receivers: [Int: @Sendable (Look) -> Void] = [:]
        /// The number of bytes already read of each journal; nil until the journals could be read once.
        var known: [String: Int]?
        /// The stamps of the journals when they were last read to their ends.
        var stamps: [String: ChangeStamp]?
        var isLooking = false
        /// The watcher for writes; nil if none is available, or none yet.
        var bell: (any Sendable)?
    }

    private let store: OTAStore
    private let interval: Duration
    private let queue = DispatchQueue(label: "ota.activity-follower")
    private let state: Mutex<State>

    /// The most lines per read; the next read follows at once for the rest.
    private static let mostLines = 500

    /// Follows activity from now on.
    ///
    /// Reads from the disk.
    ///
    /// - Parameters:
    ///   - store: the store whose journals are followed.
    ///   - interval: the time between two reads.
    package init(store: OTAStore, interval: Duration = .milliseconds(300)) {
        self.store = store
        self.interval = interval
        state = Mutex(State(known: try? store.journals()))
    }

    /// A subscription, which ends when it is cancelled or released.
    package final class Subscription: Sendable {
        private let end: @Sendable () -> Void

        fileprivate init(end: @escaping @Sendable () -> Void) {
            self.end = end
        }

        /// Ends the subscription; the result of a read in progress may still be delivered.
        package func cancel() { end() }

        deinit { end() }
    }

    /// Passes the result of every read to `receive`, one at a time, on the follower's thread.
    ///
    /// `receive` must not block.
    package func subscribe(_ receive: @escaping @Sendable (Look) -> Void) -> Subscription {
        let (number, begins) = state.withLock { state in
            state.next += 1
            state.receivers[state.next] = receive
            defer { state.isLooking = true }
            return (state.next, !state.isLooking)
        }
        if begins {
            hangBell()
            lookLater(after: interval)
        }
        return Subscription { [weak self] in
            self?.state.withLock { _ = $0.receivers.removeValue(forKey: number) }
        }
    }

    /// A stream with one element about every `period`, and one at once after new activity.
    ///
    /// Elements do not accumulate: a busy reader finds at most one waiting.
    package func beats(every period: Duration) -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Void.self,
            bufferingPolicy: .bufferingNewest(1),
        )
        let last = Mutex(ContinuousClock.now)
        let slack = interval / 2
        let subscription = subscribe { look in
            let isDue = last.withLock { last in
                let now = ContinuousClock.now
                guard !look.isEmpty || now - last + slack >= period else { return false }
                last = now
                return true
            }
            if isDue { continuation.yield() }
        }
        continuation.onTermination = { _ in subscription.cancel() }
        return stream
    }

    // MARK: Looking

    private func lookLater(after pause: Duration) {
        let (seconds, fraction) = pause.components
        let nanoseconds = Int(seconds) * 1_000_000_000 + Int(fraction / 1_000_000_000)
        queue.asyncAfter(deadline: .now() + .nanoseconds(nanoseconds)) { [weak self] in
            guard let self else { return }
            let isMore = lookNow()
            let isWanted = state.withLock { state in
                state.isLooking = !state.receivers.isEmpty
                if !state.isLooking { state.bell = nil }
                return state.isLooking
            }
            guard isWanted else { return }
            hangBell()
            lookLater(after: isMore ? .zero : interval)
        }
    }

    /// - Returns: whether there is more to read.
    private func lookNow() -> Bool {
        let look = look()
        // Receivers then read documents at least as new as the activity they get.
        if !look.found.isEmpty { store.cache.doubt() }
        let (receivers, isMore) = state.withLock { state in
            let isMore = state.stamps == nil && !look.found.isEmpty
            return (state.receivers.sorted { $0.key < $1.key }.map(\.value), isMore)
        }
        for receive in receivers { receive(look) }
        return isMore
    }

    /// Watches for writes to the journals, once their folder exists.
    private func hangBell() {
        state.withLock { state in
            guard state.bell == nil else { return }
            let ring: @Sendable () -> Void = { [weak self] in
                guard let self, self.state.withLock({ !$0.receivers.isEmpty }) else { return }
                // If one read did not return everything, read the rest at once.
                while lookNow() {}
            }
            state.bell =
                if let folder = store.localFolder?.journals {
                    JournalBell(folder, on: queue, ring)
                } else {
                    store.backend.changeBell { [queue] in queue.async(execute: ring) }
                }
        }
    }

    private func look() -> Look {
        var look = Look()
        do throws(StoreFailure) {
            let (known, before) = state.withLock { ($0.known, $0.stamps) }
            guard let known else {
                let known = try store.journals()
                state.withLock { $0.known = known }
                return look
            }
            let stamps = try store.journalStamps()
            if stamps == before, stamps.values.allSatisfy(\.isSettled) { return look }
            let news = try store.news(beyond: known, count: Self.mostLines)
            look.found = news.found
            look.failures = news.failures
            let isAll = news.found.count + news.failures.count < Self.mostLines
            state.withLock { state in
                state.known = news.known
                state.stamps = isAll ? stamps : nil
            }
        } catch {
            look.obstacle = error
        }
        return look
    }
}
