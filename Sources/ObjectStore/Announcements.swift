import Essentials
import S3
import Store
import Synchronization

/// Batches the announcements of this process's writers: those that arrive while a news page is being
/// written share the next one.
final class Announcements: Sendable {
    /// The announcements of several writers, and the result.
    final class Batch: Sendable {
        struct State {
            var changed: Set<String> = []
            var listed: Set<String> = []
            /// Whether it announces that blobs may be deleted.
            var isCollecting = false
            /// When the page with them was first sent; other processes may have read it since.
            var sent: ContinuousClock.Instant?
            var isDone = false
        }

        let state = Mutex(State())
    }

    /// A completed announcement.
    struct Made {
        /// When it was sent; the response may have come much later.
        let date: ContinuousClock.Instant
        let isListed: Bool
        /// Whether the document was known not to exist before.
        let wasAbsent: Bool
    }

    private let next = Mutex(Batch())
    /// The latest announcements, by path.
    private let made = Mutex<[String: Made]>([:])
    private let writing = Mutex<PageObject?>(nil)

    /// The page as last written or read by this process.
    struct PageObject: Sendable {
        let page: NewsPage
        let etag: ETag
        let writes: [String]
    }

    /// Records when blobs could last be deleted, according to a page written at or after `sent`.
    func noteCollecting(_ date: Date?, from sent: ContinuousClock.Instant) {
        collecting.withLock { $0 = (date, sent) }
    }

    /// When blobs could last be deleted, by the clock of the deleting server, and when this was learned;
    /// nil until this process has announced something.
    var collection: (date: Date?, known: ContinuousClock.Instant)? { collecting.withLock { $0 } }

    /// Changes that may have been made after other processes stopped checking for them, and whether they
    /// may have added or removed a document.
    private let late = Mutex<[DocumentName: Bool]>([:])

    /// Records that a change must be announced again because it was late.
    func owe(_ name: DocumentName, isListed: Bool) {
        late.withLock { $0[name] = isListed || $0[name] ?? false }
    }

    /// Returns and clears the changes that must be announced again.
    func takeOwed() -> [DocumentName: Bool] {
        late.withLock { late in
            defer { late = [:] }
            return late
        }
    }

    var owesNothing: Bool { late.withLock(\.isEmpty) }

    private let collecting = Mutex<(date: Date?, known: ContinuousClock.Instant)?>(nil)

    /// The latest announcement of a path, if it is younger than `age`.
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

    /// The page as last written or read; nil if unknown.
    var page: NewsPage? { writing.withLock { $0?.page } }

    /// Sets the page that was just read, so that the next announcement need not read it.
    func know(_ page: PageObject) { writing.withLock { $0 = page } }

    /// Adds paths to the batch that is written next.
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

    /// Writes the batch with `write`, unless another writer already has.
    func finish(
        _ batch: Batch,
        _ write: (inout PageObject?, Batch.State) throws(StoreFailure) -> Void,
    ) throws(StoreFailure) {
        try writing.withLock { page throws(StoreFailure) in
            guard !batch.state.withLock(\.isDone) else { return }
            // Writers that arrive after this wait for the next page.
            next.withLock { if $0 === batch { $0 = Batch() } }
            try write(&page, batch.state.withLock { $0 })
            batch.state.withLock { $0.isDone = true }
        }
    }
}

/// Limits how often something is done.
final class Pace: Sendable {
    private let last = Mutex<ContinuousClock.Instant?>(nil)

    /// Whether at least `pause` has passed since the last call that returned true.
    func isDue(every pause: Duration) -> Bool {
        let now = ContinuousClock.now
        return last.withLock { last in
            if let last, now - last < pause { return false }
            last = now
            return true
        }
    }
}
