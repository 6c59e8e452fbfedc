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
/// one thread for all of them, so that a listener's own task only writes. A listener that cannot keep up is
/// disconnected, and reconnects with the position that it knows.
package final class EventFeed: Service, Sendable {
    struct Event: Sendable {
        let activity: Activity
        let cursor: ActivityCursor

        init(_ line: (activity: Activity, cursor: ActivityCursor)) {
            activity = line.activity
            cursor = line.cursor
        }
    }

    /// The next step of a listener's stream.
    enum Step: Sendable {
        case news(News)
        case install(InstallTracker.News)
        /// Time for a keep-alive comment.
        case beat
        /// Time to check for changes that no event reports.
        case look
    }

    /// What a listener receives because of an event.
    struct News: Sendable {
        /// What is sent.
        let bytes: ByteBuffer
        /// The position of the event; nil if the listener's access has ended, and its stream ends with this.
        let cursor: ActivityCursor?
    }

    /// Passes a listener's steps to its stream.
    typealias Steps = AsyncStream<Step>

    /// The most steps that a listener may be behind; a slower one is disconnected.
    private static let longestQueue = 256

    private struct Listener {
        let who: EventListener
        let audience: any EventAudience
        let steps: Steps.Continuation
        /// The position up to which the listener knows everything; nil once the follower is past it.
        var place: ActivityCursor?

        mutating func isNew(_ event: Event) -> Bool {
            if let place, event.cursor.isNotAfter(place) { return false }
            place = nil
            return true
        }

        /// Passes on what the listener may receive of the events.
        ///
        /// To a tester's page that is the first of them, after which it is rendered again. Reads the store.
        func receive(_ events: [Event], in batch: inout Batch) {
            do {
                if let farewell = try batch.farewell(to: audience) {
                    steps.yield(.news(News(bytes: batch.bytes(of: farewell), cursor: nil)))
                    return
                }
                for event in events {
                    guard let text = try audience.text(of: event) else { continue }
                    let news = News(bytes: batch.bytes(of: text), cursor: event.cursor)
                    if case .dropped = steps.yield(.news(news)) { return steps.finish() }
                    if !audience.hearsAll { return }
                }
            } catch {
                // The page asks again, and its request is answered with the reason.
                steps.finish()
            }
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
    }

    private let limits: ListenerLimits
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
    ///   - logger: logs failures.
    package init(following follower: ActivityFollower, limits: ListenerLimits, logger: Logger) {
        self.limits = limits
        self.logger = logger
        let subscription = follower.subscribe { [weak self] look in self?.receive(look) }
        state.withLock { $0.subscription = subscription }
    }

    /// Listens to everything after `place`, the current end of the journal, which the follower may not
    /// have reached yet.
    ///
    /// - Returns: the listener's number for ``leave(_:)``, its steps, and the continuation that adds
    ///   further steps; nil if too many listen already, or the server is stopping.
    func listen(
        from place: ActivityCursor,
        as listener: EventListener,
        for audience: any EventAudience,
    ) -> (number: Int, steps: Steps, adding: Steps.Continuation)? {
        let (steps, continuation) = Steps.makeStream(
            bufferingPolicy: .bufferingOldest(Self.longestQueue)
        )
        let number: Int? = state.withLock { state in
            guard !state.isStopped,
                limits.admit(listener, beside: state.counts)
            else { return nil }
            state.next += 1
            state.counts.add(listener)
            state.listeners[state.next] = Listener(
                who: listener,
                audience: audience,
                steps: continuation,
                place: place,
            )
            return state.next
        }
        return number.map { ($0, steps, continuation) }
    }

    /// Removes a listener whose steps have ended.
    func leave(_ number: Int) {
        state.withLock { state in
            guard let listener = state.listeners.removeValue(forKey: number) else { return }
            state.counts.remove(listener.who)
        }
    }

    package func run() async throws {
        try? await gracefulShutdown()
        state.withLock(\.subscription)?.cancel()
        let listeners = state.withLock { state in
            state.isStopped = true
            return state.listeners.values.map(\.steps)
        }
        for listener in listeners { listener.finish() }
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
            var late: [Steps.Continuation] = []
            if state.pending.count > Self.mostPending {
                state.pending = []
                late = state.listeners.values.map(\.steps)
            }
            defer { state.isTelling = true }
            return (!state.isTelling, late)
        }
        for steps in late { steps.finish() }
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
        let listeners = state.withLock { state in
            state.listeners.keys.compactMap { number -> (Listener, [Event])? in
                guard let listener = state.listeners[number] else { return nil }
                let new = events.filter { state.listeners[number]?.isNew($0) == true }
                return new.isEmpty ? nil : (listener, new)
            }
        }
        var batch = Batch()
        for (listener, new) in listeners { listener.receive(new, in: &batch) }
    }

    /// What listeners of the same events share.
    private struct Batch {
        private var buffers: [String: ByteBuffer] = [:]
        private var farewells: [String: String?] = [:]

        /// The bytes of a text; most listeners receive the same.
        mutating func bytes(of text: String) -> ByteBuffer {
            if let made = buffers[text] { return made }
            let made = ByteBuffer(string: text)
            buffers[text] = made
            return made
        }

        /// The farewell to an audience, worked out once for all that have the same access.
        mutating func farewell(to audience: any EventAudience) throws -> String? {
            guard let access = audience.access else { return try audience.farewell() }
            if let known = farewells[access] { return known }
            let farewell = try audience.farewell()
            farewells[access] = .some(farewell)
            return farewell
        }
    }
}
