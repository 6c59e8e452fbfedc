import Foundation
import HTTPServing
package import Logging
import Releases
import ServiceLifecycle
package import Store
import Synchronization

/// Sends listeners what happens in the store, whichever process did it.
///
/// It hands on what the follower of the journal finds; a listener that cannot keep up is let go and
/// comes back with the place that it knows.
package final class EventFeed: Service, Sendable {
    struct Event: Sendable {
        let activity: Activity
        let cursor: ActivityCursor
        /// When the line of the journal was read.
        private let read = ContinuousClock.now

        init(_ line: (activity: Activity, cursor: ActivityCursor)) {
            activity = line.activity
            cursor = line.cursor
        }

        /// Longer than the store takes something for known without looking again.
        private static let settling = Duration.milliseconds(300)

        /// Waits until what the store knows is no older than the line; of many lines that were read at
        /// once only the first has to.
        func settle() async throws {
            try await Task.sleep(until: read + Self.settling, clock: .continuous)
        }
    }

    /// Events that a listener may be behind.
    private static let longestQueue = 256

    private struct Listener {
        let who: EventListener
        let stream: AsyncStream<Event>.Continuation
        /// The listener knows everything up to here; nil once the follower has come farther.
        var place: ActivityCursor?

        mutating func isNew(_ event: Event) -> Bool {
            if let place, event.cursor.isNotAfter(place) { return false }
            place = nil
            return true
        }
    }

    private struct State {
        var next = 0
        var listeners: [Int: Listener] = [:]
        var subscription: ActivityFollower.Subscription?
        var isStopped = false
    }

    private let limits: ListenerLimits
    private let logger: Logger
    private let state = Mutex(State())

    /// - Parameters:
    ///   - follower: finds what happens; it runs as a service of its own.
    ///   - limits: how many may listen.
    ///   - logger: where failures are written.
    package init(following follower: ActivityFollower, limits: ListenerLimits, logger: Logger) {
        self.limits = limits
        self.logger = logger
        let subscription = follower.subscribe { [weak self] look in self?.receive(look) }
        state.withLock { $0.subscription = subscription }
    }

    /// Everything that happens behind `place`, which is the end of the journal as it was just now: the
    /// follower may still have to come as far.
    ///
    /// - Returns: nil when too many listen already, or the server is stopping.
    func listen(from place: ActivityCursor, as listener: EventListener) -> AsyncStream<Event>? {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Event.self,
            bufferingPolicy: .bufferingOldest(Self.longestQueue),
        )
        let number: Int? = state.withLock { state in
            guard !state.isStopped,
                limits.admit(listener, beside: state.listeners.values.map(\.who))
            else { return nil }
            state.next += 1
            state.listeners[state.next] = Listener(
                who: listener,
                stream: continuation,
                place: place,
            )
            return state.next
        }
        guard let number else { return nil }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { _ = $0.listeners.removeValue(forKey: number) }
        }
        return stream
    }

    package func run() async throws {
        try? await gracefulShutdown()
        state.withLock(\.subscription)?.cancel()
        let listeners = state.withLock { state in
            state.isStopped = true
            return state.listeners.values.map(\.stream)
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
        for line in look.found { tell(Event(line)) }
    }

    private func tell(_ event: Event) {
        let listeners = state.withLock { state in
            state.listeners.keys.compactMap { number in
                state.listeners[number]?.isNew(event) == true
                    ? state.listeners[number]?.stream : nil
            }
        }
        for listener in listeners {
            if case .dropped = listener.yield(event) { listener.finish() }
        }
    }
}
