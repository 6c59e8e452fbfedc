import Foundation
import Logging
import Releases
import ServiceLifecycle
import Store
import Synchronization

/// Tells whoever listens what happens in the store, whichever process did it.
///
/// One reader looks at the journal while anybody listens; a listener that cannot keep up is let go
/// and comes back with the place that it knows.
final class EventFeed: Service, Sendable {
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
    private static let interval = Duration.milliseconds(300)

    private struct State {
        var next = 0
        var listeners: [Int: (who: EventListener, stream: AsyncStream<Event>.Continuation)] = [:]
        var cursor: ActivityCursor?
        var isStopped = false
    }

    private let store: OTAStore
    private let limits: ListenerLimits
    private let logger: Logger
    private let state = Mutex(State())

    init(store: OTAStore, limits: ListenerLimits, logger: Logger) {
        self.store = store
        self.limits = limits
        self.logger = logger
    }

    /// Everything that happens behind `place`, which is the end of the journal as somebody saw it just
    /// now; with other listeners there, it may begin a little earlier.
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
            state.listeners[state.next] = (listener, continuation)
            if state.cursor == nil { state.cursor = place }
            return state.next
        }
        guard let number else { return nil }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { _ = $0.listeners.removeValue(forKey: number) }
        }
        return stream
    }

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                try? await Task.sleep(for: Self.interval)
                await self.look()
            }
        }
        let listeners = state.withLock { state in
            state.isStopped = true
            return state.listeners.values.map(\.stream)
        }
        for listener in listeners { listener.finish() }
    }

    private func look() async {
        let place = state.withLock { state in
            if state.listeners.isEmpty { state.cursor = nil }
            return state.cursor
        }
        guard let place else { return }
        do {
            let followed = try store.follow(from: place, count: 500)
            state.withLock { $0.cursor = followed.end }
            for failure in followed.failures {
                logger.error(
                    "a damaged line of the journal is skipped",
                    metadata: ["reason": "\(failure)"],
                )
            }
            for line in followed.found { tell(Event(line)) }
        } catch {
            logger.error("the journal cannot be followed", metadata: ["reason": "\(error)"])
        }
    }

    private func tell(_ event: Event) {
        let listeners = state.withLock { $0.listeners.values.map(\.stream) }
        for listener in listeners {
            if case .dropped = listener.yield(event) { listener.finish() }
        }
    }
}
