import Foundation
import HTTPServing
package import Logging
import Releases
import ServiceLifecycle
package import Store
import Synchronization

/// Sends the store's activity to listeners, whichever process caused it.
///
/// The follower of the journal finds the activity. A listener that cannot keep up is disconnected, and
/// reconnects with the position that it knows.
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
        case event(Event)
        case install(InstallTracker.News)
        /// Time for a keep-alive comment.
        case beat
        /// Time to check for changes that no event reports.
        case look
    }

    /// Passes a listener's steps to its stream.
    typealias Steps = AsyncStream<Step>

    /// The most steps that a listener may be behind; a slower one is disconnected.
    private static let longestQueue = 256

    private struct Listener {
        let who: EventListener
        let steps: Steps.Continuation
        /// The position up to which the listener knows everything; nil once the follower is past it.
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

    /// Removes a listener whose steps have ended.
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
