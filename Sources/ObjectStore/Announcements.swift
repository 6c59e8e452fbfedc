import Essentials
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
            /// Whether it says that blobs may be deleted.
            var isCollecting = false
            /// When the page with them was sent first: others may have read it from then on.
            var sent: ContinuousClock.Instant?
            var isDone = false
        }

        let state = Mutex(State())
    }

    /// An announcement that has been made.
    struct Made {
        /// When it was sent: the answer may have come much later.
        let date: ContinuousClock.Instant
        let isListed: Bool
        /// Whether it was known before that there was no document of that name.
        let wasAbsent: Bool
    }

    private let next = Mutex(Batch())
    /// What was announced last, and when.
    private let made = Mutex<[String: Made]>([:])
    private let writing = Mutex<PageObject?>(nil)

    /// The page as this process wrote or read it last.
    struct PageObject: Sendable {
        let page: NewsPage
        let etag: ETag
        let writes: [String]
    }

    /// Notes when blobs could be deleted last, as a page said that was written from `sent` on.
    func noteCollecting(_ date: Date?, from sent: ContinuousClock.Instant) {
        collecting.withLock { $0 = (date, sent) }
    }

    /// When blobs could be deleted last, by the clock of the server that did, and since when that is known; nil
    /// while this process has announced nothing.
    var collection: (date: Date?, known: ContinuousClock.Instant)? { collecting.withLock { $0 } }

    /// Names of changes that may have been made after others stopped looking for them, and which of them may
    /// have appeared or disappeared.
    private let late = Mutex<[DocumentName: Bool]>([:])

    /// Notes that a change has to be announced once more, because it came late.
    func owe(_ name: DocumentName, isListed: Bool) {
        late.withLock { $0[name] = isListed || $0[name] ?? false }
    }

    /// Takes what has to be announced once more.
    func takeOwed() -> [DocumentName: Bool] {
        late.withLock { late in
            defer { late = [:] }
            return late
        }
    }

    var owesNothing: Bool { late.withLock(\.isEmpty) }

    private let collecting = Mutex<(date: Date?, known: ContinuousClock.Instant)?>(nil)

    /// The latest announcement of a name, if that is less than `age` ago.
    func latest(of path: String, within age: Duration) -> Made? {
        made.withLock { made in
            guard let last = made[path], .now - last.date < age else { return nil }
            return last
        }
    }

    func note(_ path: String, _ announcement: Made) {
        made.withLock { made in
            if made.count >= Self.most { made = [:] }
            made[path] = announcement
        }
    }

    private static let most = 4_096

    /// The page as it was written or read last; nil where that is not known.
    var page: NewsPage? { writing.withLock { $0?.page } }

    /// Notes the page as it was just read, so that the next announcement needs not.
    func know(_ page: PageObject) { writing.withLock { $0 = page } }

    /// Adds names to the batch that is written next.
    func join(_ paths: [String], listed: Set<String>, isCollecting: Bool = false) -> Batch {
        next.withLock { batch in
            batch.state.withLock { state in
                if isCollecting { state.isCollecting = true }
                state.changed.formUnion(paths)
                state.listed.formUnion(listed)
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
