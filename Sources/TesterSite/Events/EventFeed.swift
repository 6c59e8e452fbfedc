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

        init(_ line: (activity: Activity, cursor: ActivityCursor)) {
            activity = line.activity
            cursor = line.cursor
        }
    }

    /// What the stream of a listener does next.
    enum Step: Sendable {
        case event(Event)
        case install(InstallTracker.News)
        /// It is time to say that the server is still there.
        case beat
        /// It is time to look at what no event tells.
        case look
    }

    /// The way of a listener's steps to its stream.
    typealias Steps = AsyncStream<Step>

    /// Steps that a listener may be behind; one that takes nothing comes back with the place it knows.
    private static let longestQueue = 256

    private struct Listener {
        let who: EventListener
        let steps: Steps.Continuation
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
    /// - Returns: the listener's number for ``leave(_:)``, its steps, and the way to add others to them;
    ///   nil when too many listen already, or the server is stopping.
    func listen(
        from place: ActivityCursor,
        as listener: EventListener,
    ) -> (number: Int, steps: Steps, adding: Steps.Continuation)? {
        let (steps, continuation) = Steps.makeStream(
            bufferingPolicy: .bufferingOldest(Self.longestQueue)
        )
        let number: Int? = state.withLock { state in
            guard !state.isStopped,
                limits.admit(listener, beside: state.listeners.values.map(\.who))
            else { return nil }
            state.next += 1
            state.listeners[state.next] = Listener(
                who: listener,
                steps: continuation,
                place: place,
            )
            return state.next
        }
        return number.map { ($0, steps, continuation) }
    }

    /// Ends the part of a listener whose steps have ended.
    func leave(_ number: Int) {
        state.withLock { _ = $0.listeners.removeValue(forKey: number) }
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
        for line in look.found { tell(Event(line)) }
    }

    private func tell(_ event: Event) {
        let listeners = state.withLock { state in
            state.listeners.keys.compactMap { number in
                state.listeners[number]?.isNew(event) == true
                    ? state.listeners[number]?.steps : nil
            }
        }
        for listener in listeners {
            if case .dropped = listener.yield(.event(event)) { listener.finish() }
        }
    }
}
