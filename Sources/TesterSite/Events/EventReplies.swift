import HTTPServing
import Releases
import SiteServices
import Store
import Synchronization

/// Works out what a listener receives without an event in the journal, one after the other in the order in
/// which it was asked for; this reads the store.
final class EventReplies: Sendable {
    /// Why a listener may receive something.
    enum Cause: Sendable {
        case install(InstallTracker.News)
        /// Time to check for changes that no event reports.
        case look
    }

    private struct State {
        var waiting: [Cause] = []
        var isWorking = false
    }

    /// The most causes that may wait; a listener behind which there are more is disconnected.
    private static let mostWaiting = 256

    private let audience: any EventAudience
    private let outlet: EventOutlet
    private let site: Site
    private let state = Mutex(State())

    init(to audience: any EventAudience, by outlet: EventOutlet, in site: Site) {
        self.audience = audience
        self.outlet = outlet
        self.site = site
    }

    /// Sends the listener what it may receive because of `cause`, soon and in order.
    func reply(to cause: Cause) {
        let (begins, isLate) = state.withLock { state in
            guard state.waiting.count < Self.mostWaiting else { return (false, true) }
            state.waiting.append(cause)
            defer { state.isWorking = true }
            return (!state.isWorking, false)
        }
        if isLate { outlet.end() }
        if begins { Task { await work() } }
    }

    private func work() async {
        while let cause = next() {
            do {
                guard let news = try await site.work({ try self.news(because: cause) }) else {
                    continue
                }
                EventOutlet.deliver([(outlet, news)])
            } catch {
                // The page asks again, and its request is answered with the reason.
                outlet.end()
            }
        }
    }

    private func next() -> Cause? {
        state.withLock { state in
            guard !state.waiting.isEmpty else {
                state.isWorking = false
                return nil
            }
            return state.waiting.removeFirst()
        }
    }

    private func news(because cause: Cause) throws -> EventOutlet.News? {
        switch cause {
        case .look:
            return try audience.look().map { EventOutlet.News(piece: LiveBody.Piece($0)) }
        case .install(let news):
            if let farewell = try audience.farewell() {
                return EventOutlet.News(piece: LiveBody.Piece(farewell), isLast: true)
            }
            return EventOutlet.News(piece: LiveBody.Piece(news.eventText(in: audience.words)))
        }
    }
}
