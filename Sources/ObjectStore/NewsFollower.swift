import Dispatch
import S3
import Store
import Synchronization

/// Polls the news page as long as this object exists.
final class NewsFollower: ChangeFollowing {
    private let news: NewsInMemory
    private let begun = ContinuousClock.now
    private let loop: Loop

    init(_ backend: ObjectBackend) {
        news = backend.news
        news.follow()
        loop = Loop(backend)
        loop.look { [weak self] in self != nil }
    }

    deinit { news.unfollow() }

    var silence: Duration { news.silence() ?? (ContinuousClock.now - begun) }

    var trouble: StoreFailure? { loop.trouble }

    private final class Loop: Sendable {
        private let backend: ObjectBackend
        /// One for each of ``patience``.
        private let watchers: [S3Client]
        private let queue = DispatchQueue(label: "ota.news")
        /// A separate queue, because a write may be retried for longer than a poll may last.
        private let owing = DispatchQueue(label: "ota.news.owed")
        private let page = Mutex<Announcements.PageObject?>(nil)
        /// Polls since the last response, and why the last one had none.
        private let failures = Mutex<(count: Int, last: StoreFailure?)>((0, nil))

        /// The timeouts of polls in seconds: of the first after a response, and of those after one and two polls
        /// without a response.
        ///
        /// A response that got lost is asked for again soon; a slow store is waited for.
        private static let patience = [1, 2, 4]

        init(_ backend: ObjectBackend) {
            self.backend = backend
            watchers = Self.patience.map { S3Client(backend.client.caller.watching(for: $0)) }
        }

        var trouble: StoreFailure? { failures.withLock { $0.last } }

        func look(while isWanted: @escaping @Sendable () -> Bool) {
            queue.async { [self] in
                guard isWanted() else { return backend.client.caller.gate.open() }
                // A store that does not answer is polled again; ``ChangeFollowing/silence`` is the time
                // since it answered.
                let attempt = failures.withLock { min($0.count, watchers.count - 1) }
                do throws(StoreFailure) {
                    let found = try backend.look(
                        after: page.withLock({ $0 }),
                        by: watchers[attempt],
                    )
                    failures.withLock { $0 = (0, nil) }
                    page.withLock { $0 = found }
                    if !backend.announcements.owesNothing {
                        owing.async { [backend] in backend.announceOwed() }
                    }
                } catch {
                    failures.withLock { $0 = ($0.count + 1, error) }
                }
                let pause = Int(backend.news.timing.interval / .milliseconds(1))
                queue.asyncAfter(deadline: .now() + .milliseconds(pause)) { [self] in
                    look(while: isWanted)
                }
            }
        }
    }
}

/// A registered change callback, removed when this object is released.
final class NewsBell: Sendable {
    private let news: NewsInMemory
    private let number: Int

    init(in news: NewsInMemory, _ ring: @escaping @Sendable () -> Void) {
        self.news = news
        number = news.addBell(ring)
    }

    deinit { news.removeBell(number) }
}
