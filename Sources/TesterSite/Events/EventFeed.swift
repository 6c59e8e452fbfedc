import Dispatch
import HTTPServing
package import Logging
import NIOCore
import Releases
import ServiceLifecycle
package import Store
import Synchronization

/// Sends the store's activity to listeners, whichever process caused it.
///
/// The follower of the journal finds the activity. What each listener receives of it is worked out here, on
/// one thread for all of them; what is sent is encoded once for all that receive the same, and written
/// without the tasks of their connections.
package final class EventFeed: Service, Sendable {
    struct Event: Sendable {
        let activity: Activity
        let cursor: ActivityCursor

        init(_ line: (activity: Activity, cursor: ActivityCursor)) {
            activity = line.activity
            cursor = line.cursor
        }
    }

    private struct Listener {
        let who: EventListener
        let audience: any EventAudience
        let outlet: EventOutlet
        /// The position up to which the listener knows everything; nil once the follower is past it.
        var place: ActivityCursor?
        /// The tick in which the listener was last sent something.
        var lastSent: Int

        mutating func isNew(_ event: Event) -> Bool {
            if let place, event.cursor.isNotAfter(place) { return false }
            place = nil
            return true
        }

        /// Passes on what the listener may receive of the events.
        ///
        /// To a tester's page that is the first of them, after which it is rendered again. Reads the store.
        ///
        /// - Parameters:
        ///   - events: the events; none if it is time for a keep-alive comment.
        ///   - batch: what other listeners receive.
        /// - Returns: whether the listener is sent something.
        /// - Throws: `StoreFailure`.
        func receive(_ events: [Event], in batch: inout EventBatch) throws -> Bool {
            if let farewell = try batch.farewell(to: audience) {
                let piece = batch.piece(of: farewell)
                batch.add(EventOutlet.News(piece: piece, isLast: true), for: outlet)
                return true
            }
            guard !events.isEmpty else {
                let piece = batch.piece(of: ": still here\n\n")
                batch.add(EventOutlet.News(piece: piece), for: outlet)
                return true
            }
            var isSent = false
            for event in events {
                guard let text = try audience.text(of: event) else { continue }
                let piece = batch.piece(of: text)
                batch.add(EventOutlet.News(piece: piece, cursor: event.cursor), for: outlet)
                isSent = true
                if !audience.hearsAll { break }
            }
            return isSent
        }
    }

    private struct State {
        var next = 0
        var listeners: [Int: Listener] = [:]
        var counts = ListenerCounts()
        /// Events that listeners have not received yet, and whether the queue is at work on them.
        var pending: [Event] = []
        var isTelling = false
        var subscription: ActivityFollower.Subscription?
        var isStopped = false
        /// Counts the ticks since the start, and whether the queue is at work on one.
        var tick = 0
        var isTicking = false
    }

    /// Ticks in the interval after which a silent listener is sent a keep-alive comment.
    ///
    /// Its access is checked then too. Many ticks spread the listeners over the interval.
    private static let ticks = 20

    private let limits: ListenerLimits
    private let beat: Duration
    private let logger: Logger
    private let state = Mutex(State())
    /// The most events that may wait; behind that, all listeners are disconnected and ask for what they
    /// missed.
    private static let mostPending = 5_000
    /// Works out what listeners receive, which may wait for the disk.
    private let queue = DispatchQueue(label: "ota.events")

    /// - Parameters:
    ///   - follower: finds the activity; it runs as a separate service.
    ///   - limits: how many may listen.
    ///   - beat: the interval after which a silent listener is sent a keep-alive comment; a stream ends at
    ///     most this long after the listener's access ends.
    ///   - logger: logs failures.
    package init(
        following follower: ActivityFollower,
        limits: ListenerLimits,
        beat: Duration,
        logger: Logger,
    ) {
        self.limits = limits
        self.beat = beat
        self.logger = logger
        let subscription = follower.subscribe { [weak self] look in self?.receive(look) }
        state.withLock { $0.subscription = subscription }
    }

    /// Listens to everything after `place`, the current end of the journal, which the follower may not
    /// have reached yet.
    ///
    /// - Returns: the listener's number for ``leave(_:)``; nil if too many listen already, or the server is
    ///   stopping.
    func listen(
        from place: ActivityCursor,
        as listener: EventListener,
        for audience: any EventAudience,
        by outlet: EventOutlet,
    ) -> Int? {
        state.withLock { state in
            guard !state.isStopped,
                limits.admit(listener, beside: state.counts)
            else { return nil }
            state.next += 1
            state.counts.add(listener)
            state.listeners[state.next] = Listener(
                who: listener,
                audience: audience,
                outlet: outlet,
                place: place,
                lastSent: state.tick,
            )
            return state.next
        }
    }

    /// Removes a listener whose stream has ended.
    func leave(_ number: Int) {
        state.withLock { state in
            guard let listener = state.listeners.removeValue(forKey: number) else { return }
            state.counts.remove(listener.who)
        }
    }

    package func run() async throws {
        try? await cancelWhenGracefulShutdown { [self] in
            while true {
                try await Task.sleep(for: beat / Self.ticks)
                tick()
            }
        }
        state.withLock(\.subscription)?.cancel()
        let listeners = state.withLock { state in
            state.isStopped = true
            return state.listeners.values.map(\.outlet)
        }
        for outlet in listeners { outlet.end() }
    }

    private func receive(_ look: ActivityFollower.Look) {
        if let obstacle = look.obstacle {
            logger.error("the journal cannot be followed", metadata: ["reason": "\(obstacle)"])
        }
        for failure in look.failures {
            logger.error(
                "a damaged line of the journal is skipped",
                metadata: ["reason": "\(failure)"],
            )
        }
        guard !look.found.isEmpty else { return }
        let (begins, late) = state.withLock { state in
            state.pending += look.found.map { Event($0) }
            var late: [EventOutlet] = []
            if state.pending.count > Self.mostPending {
                state.pending = []
                late = state.listeners.values.map(\.outlet)
            }
            defer { state.isTelling = true }
            return (!state.isTelling, late)
        }
        for outlet in late { outlet.end() }
        if begins { queue.async { [self] in tellAll() } }
    }

    /// Tells listeners everything that waits, also what comes meanwhile: a tester's page that is behind receives
    /// one event for all of it.
    private func tellAll() {
        while true {
            let events = state.withLock { state in
                defer { state.pending = [] }
                state.isTelling = !state.pending.isEmpty
                return state.pending
            }
            guard !events.isEmpty else { return }
            tell(events)
        }
    }

    private func tell(_ events: [Event]) {
        send(
            state.withLock { state in
                state.listeners.keys.compactMap { number in
                    guard let listener = state.listeners[number] else { return nil }
                    let new = events.filter { state.listeners[number]?.isNew($0) == true }
                    return new.isEmpty ? nil : (number, listener, new)
                }
            }
        )
    }

    /// Sends keep-alive comments to listeners that were sent nothing for long.
    private func tick() {
        let isDue = state.withLock { state in
            state.tick += 1
            let earliest = state.tick - Self.ticks
            guard !state.isTicking,
                state.listeners.values.contains(where: { $0.lastSent <= earliest })
            else { return false }
            state.isTicking = true
            return true
        }
        guard isDue else { return }
        queue.async { [self] in
            send(
                state.withLock { state in
                    let earliest = state.tick - Self.ticks
                    return state.listeners.compactMap { number, listener in
                        listener.lastSent <= earliest ? (number, listener, []) : nil
                    }
                }
            )
            state.withLock { $0.isTicking = false }
        }
    }

    /// Sends each listener what it may receive of its events, or a keep-alive comment if it has none; on the
    /// queue.
    private func send(_ listeners: [(number: Int, listener: Listener, events: [Event])]) {
        var batch = EventBatch()
        var sent: [Int] = []
        var failure: (any Error)?
        for (number, listener, events) in listeners {
            do {
                if try listener.receive(events, in: &batch) { sent.append(number) }
            } catch {
                // The page asks again, and its request is answered with the reason.
                listener.outlet.end()
                failure = error
            }
        }
        if let failure {
            logger.error(
                "event streams end, because their events cannot be read",
                metadata: ["reason": "\(failure)"],
            )
        }
        batch.deliver()
        state.withLock { state in
            for number in sent { state.listeners[number]?.lastSent = state.tick }
        }
    }
}
