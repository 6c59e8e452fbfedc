import Dispatch
package import Releases
import Synchronization

/// Follows the journals of activity for everyone in this process who acts on what happens.
///
/// One look at the store per interval, however many subscribe and on a thread of its own, because it
/// waits for the disk; where the system says that a journal was written, at once. Whoever hears of
/// something finds the store as it was then, or newer. It knows each journal by itself, so that a change of the month, or a clock that
/// jumps into another month and back, hides nothing. A subscriber that must miss nothing across a
/// restart keeps its own place in the store, as ``OTAStore/news(beyond:count:)`` takes it, and
/// uses ``beats(every:)``.
///
/// It belongs to the store because the store alone knows how journals are named and read.
package final class ActivityFollower: Sendable {
    /// What one look found.
    package struct Look: Sendable {
        /// What happened since the look before, in the order of each journal.
        package fileprivate(set) var found: [(activity: Activity, cursor: ActivityCursor)] = []
        /// Lines that cannot be read.
        package fileprivate(set) var failures: [StoreFailure] = []
        /// Why the journals could not be read; the next attempt begins at the same place.
        package fileprivate(set) var obstacle: StoreFailure?

        /// Whether there is nothing to report.
        package var isEmpty: Bool { found.isEmpty && failures.isEmpty && obstacle == nil }
    }

    private struct State {
        var next = 0
        var receivers: [Int: @Sendable (Look) -> Void] = [:]
        /// Bytes of each journal that are known; nil where they could not be read yet.
        var known: [String: Int]?
        /// The journals when they were read to their ends.
        var stamps: [String: ChangeStamp]?
        var isLooking = false
        /// Nil if nothing shows it, or nothing yet.
        var bell: (any Sendable)?
    }

    private let store: OTAStore
    private let interval: Duration
    private let queue = DispatchQueue(label: "ota.activity-follower")
    private let state: Mutex<State>

    /// Lines that are read at one look; further ones at the next, which follows at once.
    private static let mostLines = 500

    /// Follows what happens from now on; waits for the disk.
    ///
    /// - Parameters:
    ///   - store: whose journals.
    ///   - interval: between two looks.
    package init(store: OTAStore, interval: Duration = .milliseconds(300)) {
        self.store = store
        self.interval = interval
        state = Mutex(State(known: try? store.journals()))
    }

    /// Ends a subscription when it is dropped.
    package final class Subscription: Sendable {
        private let end: @Sendable () -> Void

        fileprivate init(end: @escaping @Sendable () -> Void) {
            self.end = end
        }

        /// Ends the subscription; a look under way may still be received.
        package func cancel() { end() }

        deinit { end() }
    }

    /// Hands every look to `receive`, one after the other, on the follower's thread; it must not wait.
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

    /// A beat about every `period`, and one at once after new activity; a reader that was busy
    /// finds one beat waiting.
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
        // What its receivers read next is no older than what they receive here.
        if !look.found.isEmpty { store.cache.doubt() }
        let (receivers, isMore) = state.withLock { state in
            let isMore = state.stamps == nil && !look.found.isEmpty
            return (state.receivers.sorted { $0.key < $1.key }.map(\.value), isMore)
        }
        for receive in receivers { receive(look) }
        return isMore
    }

    /// Has the system say when a journal is written, as soon as there is a folder of them.
    private func hangBell() {
        state.withLock { state in
            guard state.bell == nil else { return }
            let ring: @Sendable () -> Void = { [weak self] in
                guard let self, self.state.withLock({ !$0.receivers.isEmpty }) else { return }
                // More than one look takes is read at once by the next.
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
