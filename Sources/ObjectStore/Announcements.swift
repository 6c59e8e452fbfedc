import S3
import Store
import Synchronization

/// Lets the writers of this process announce together what they change: those that arrive while
/// a page is being written share the next one.
final class Announcements: Sendable {
    /// The names of several writers, and what came of them.
    final class Batch: Sendable {
        struct State {
            var changed: Set<String> = []
            var listed: Set<String> = []
            var isDone = false
        }

        let state = Mutex(State())
    }

    private let next = Mutex(Batch())
    private let writing = Mutex<PageObject?>(nil)

    /// The page as this process wrote or read it last.
    struct PageObject: Sendable {
        let page: NewsPage
        let etag: ETag
        let writes: [String]
    }

    /// Adds a name to the batch that is written next.
    func join(_ path: String, isListed: Bool) -> Batch {
        next.withLock { batch in
            batch.state.withLock { state in
                state.changed.insert(path)
                if isListed { state.listed.insert(path) }
            }
            return batch
        }
    }

    /// Has `write` write the batch, unless another writer already has.
    func finish(
        _ batch: Batch,
        _ write: (inout PageObject?, Batch.State) throws(StoreFailure) -> Void,
    ) throws(StoreFailure) {
        try writing.withLock { page throws(StoreFailure) in
            guard !batch.state.withLock(\.isDone) else { return }
            // Writers that arrive from now on wait for the next page.
            next.withLock { if $0 === batch { $0 = Batch() } }
            try write(&page, batch.state.withLock { $0 })
            batch.state.withLock { $0.isDone = true }
        }
    }
}

/// Bounds how often something is done.
final class Pace: Sendable {
    private let last = Mutex<ContinuousClock.Instant?>(nil)

    /// Whether it may be done now, after at least `pause`.
    func isDue(every pause: Duration) -> Bool {
        let now = ContinuousClock.now
        return last.withLock { last in
            if let last, now - last < pause { return false }
            last = now
            return true
        }
    }
}
