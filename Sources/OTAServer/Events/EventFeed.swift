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
    }

    /// Listeners at once; more are asked to come back later.
    static let mostListeners = 2000
    /// Events that a listener may be behind.
    private static let longestQueue = 256
    private static let interval = Duration.milliseconds(300)

    private struct State {
        var next = 0
        var listeners: [Int: AsyncStream<Event>.Continuation] = [:]
        var cursor: ActivityCursor?
        var isStopped = false
    }

    private let store: OTAStore
    private let logger: Logger
    private let state = Mutex(State())

    init(store: OTAStore, logger: Logger) {
        self.store = store
        self.logger = logger
    }

    /// Everything that happens behind `place`, which is the end of the journal as somebody saw it just
    /// now; with other listeners there, it may begin a little earlier.
    ///
    /// - Returns: nil when too many listen already, or the server is stopping.
    func listen(from place: ActivityCursor) -> AsyncStream<Event>? {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Event.self,
            bufferingPolicy: .bufferingOldest(Self.longestQueue),
        )
        let number: Int? = state.withLock { state in
            guard !state.isStopped, state.listeners.count < Self.mostListeners else { return nil }
            state.next += 1
            state.listeners[state.next] = continuation
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
            return state.listeners.values
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
            let events = try store.activity(after: place, count: 500)
            if let last = events.last { state.withLock { $0.cursor = last.cursor } }
            for event in events { tell(Event(activity: event.activity, cursor: event.cursor)) }
        } catch {
            logger.error("the journal cannot be followed", metadata: ["reason": "\(error)"])
        }
    }

    private func tell(_ event: Event) {
        let listeners = state.withLock { $0.listeners }
        for listener in listeners.values {
            if case .dropped = listener.yield(event) { listener.finish() }
        }
    }
}
