import Dispatch
import S3
import Store
import Synchronization

/// Reads the page of news again and again, as long as it is kept.
final class NewsFollower: ChangeFollowing {
    private let news: NewsInMemory
    private let begun = ContinuousClock.now

    init(_ backend: ObjectBackend) {
        news = backend.news
        news.follow()
        let loop = Loop(backend)
        loop.look { [weak self] in self != nil }
    }

    deinit { news.unfollow() }

    var silence: Duration { news.silence() ?? (ContinuousClock.now - begun) }

    private final class Loop: Sendable {
        private let backend: ObjectBackend
        private let watcher: S3Client
        private let queue = DispatchQueue(label: "ota.news")
        /// Apart from it, because a write may be tried for longer than a look may last.
        private let owing = DispatchQueue(label: "ota.news.owed")
        private let page = Mutex<Announcements.PageObject?>(nil)

        /// Seconds after which a look is given up, and the next one begins.
        private static let patience = 2

        init(_ backend: ObjectBackend) {
            self.backend = backend
            watcher = S3Client(backend.client.caller.watching(for: Self.patience))
        }

        func look(while isWanted: @escaping @Sendable () -> Bool) {
            queue.async { [self] in
                guard isWanted() else { return backend.client.caller.gate.open() }
                // A store that does not answer is asked again; ``ChangeFollowing/silence`` says for how long.
                if let found = try? backend.look(
                    after: page.withLock({ $0 }),
                    by: watcher,
                ) {
                    page.withLock { $0 = found }
                    if !backend.announcements.owesNothing {
                        owing.async { [backend] in backend.announceOwed() }
                    }
                }
                let pause = Int(backend.news.timing.interval / .milliseconds(1))
                queue.asyncAfter(deadline: .now() + .milliseconds(pause)) { [self] in
                    look(while: isWanted)
                }
            }
        }
    }
}

/// Rings as long as it is kept.
final class NewsBell: Sendable {
    private let news: NewsInMemory
    private let number: Int

    init(in news: NewsInMemory, _ ring: @escaping @Sendable () -> Void) {
        self.news = news
        number = news.addBell(ring)
    }

    deinit { news.removeBell(number) }
}
