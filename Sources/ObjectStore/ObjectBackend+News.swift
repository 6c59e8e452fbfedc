import Dispatch
import S3
package import Store
import Synchronization

/// One object tells every server what the others change.
extension ObjectBackend {
    /// Says that a document or journal is about to change, and makes the change.
    ///
    /// - Parameters:
    ///   - name: of the document or journal.
    ///   - isListed: whether it may appear or disappear.
    ///   - change: makes it, and says what is there then.
    /// - Returns: what `change` returns.
    /// - Throws: ``StoreFailure``; where the announcement cannot be made, nothing is changed.
    func announcing<Result>(
        _ name: DocumentName,
        isListed: Bool,
        _ change: () throws(StoreFailure) -> (Result, NewsInMemory.Outcome),
    ) throws(StoreFailure) -> Result {
        let lately = announcements.latest(of: name.path, within: news.timing.settling / 4)
        let begun =
            if let lately, lately.isListed || !isListed {
                lately.date
            } else {
                try announce([name], listed: isListed ? [name] : [])
            }
        news.begin(name.path)
        let result: Result
        do throws(StoreFailure) {
            let (made, outcome) = try change()
            result = made
            news.end(name.path, outcome) { folder, before in
                guard case .made(let stamp?) = outcome else { return nil }
                return lists.add(name, stamp, to: folder, before)
            }
        } catch {
            news.end(name.path, .unknown) { _, _ in nil }
            throw error
        }
        // Others look at it for a while only; then they are sure that nothing more comes.
        if ContinuousClock.now - begun > news.timing.settling / 2 {
            _ = try? announce([name], listed: isListed ? [name] : [])
        }
        return result
    }

    package func prepareChanges(of names: [DocumentName], adding: [DocumentName]) {
        guard news.isFollowed || news.timing.trusting > .zero else { return }
        // Each change is announced by itself where this is not.
        _ = try? announce(names + adding, listed: adding)
    }

    /// Says that blobs may be deleted from now on.
    func announce(collectionAs path: String) throws(StoreFailure) {
        let batch = announcements.join([], listed: [], isCollecting: true)
        try write(batch, for: [])
        let made = Announcements.Made(date: .now, isListed: false, wasAbsent: false)
        announcements.note(path, made)
    }

    /// - Returns: when the announcement had been made.
    private func announce(
        _ names: [DocumentName],
        listed: [DocumentName],
    ) throws(StoreFailure) -> ContinuousClock.Instant {
        let listed = Set(listed.map(\.path))
        // Before the announcement, which puts that in doubt.
        let absent = Set(names.filter(isKnownAbsent).map(\.path))
        let batch = announcements.join(names.map(\.path), listed: listed)
        try write(batch, for: names)
        let date = ContinuousClock.now
        for path in names.map(\.path) {
            announcements.note(
                path,
                Announcements.Made(
                    date: date,
                    isListed: listed.contains(path),
                    wasAbsent: absent.contains(path),
                ),
            )
        }
        return date
    }

    private func write(
        _ batch: Announcements.Batch,
        for documents: [DocumentName],
    ) throws(StoreFailure) {
        try announcements.finish(batch) { known, names throws(StoreFailure) in
            for attempt in 0..<Self.announcing {
                var there = known
                if there == nil { there = try readNews() }
                var page = there?.page ?? NewsPage()
                page.add(changed: names.changed, listed: names.listed)
                if names.isCollecting { page.collecting = client.caller.timing.now() }
                let sent = ContinuousClock.now
                let write = S3Write(
                    try page.bytes(),
                    to: keys.news,
                    if: there.map { .unchanged($0.etag) } ?? .absent,
                    identifier: identifier(),
                    after: Array((there?.writes ?? []).prefix(Self.writesKept)),
                )
                known = nil
                switch try remote({ () throws(S3Failure) in try client.write(write) }) {
                case .stored(let etag):
                    known = Announcements.PageObject(page: page, etag: etag, writes: write.kept)
                    announcements.noteCollecting(page.collecting, from: sent)
                    return news.note(page, isOwn: true)
                case .replaced: return
                case .refused:
                    client.caller.timing.pause(
                        client.caller.timing.random() * 0.02 * Double(min(attempt, 10))
                    )
                }
            }
            throw .conflict(documents.first ?? .settings)
        }
    }

    /// Other servers may come first as often.
    private static var announcing: Int { 200 }

    /// Those that a writer has to find its own among, when its answer was lost.
    private static var writesKept: Int { 24 }

    func readNews(
        unless known: Announcements.PageObject? = nil,
        by watcher: S3Client? = nil,
    ) throws(StoreFailure) -> Announcements.PageObject? {
        let client = watcher ?? client
        let reading = try remote { () throws(S3Failure) in
            try client.read(keys.news, unless: known?.etag)
        }
        switch reading {
        case .known: return known
        case .missing, .changed: return nil
        case .found(let object):
            return Announcements.PageObject(
                page: try NewsPage(object.bytes, at: keys.path(keys.news)),
                etag: object.facts.etag,
                writes: object.facts.writes,
            )
        }
    }

    package func followChanges() -> (any ChangeFollowing)? { NewsFollower(self) }

    package func changeBell(_ ring: @escaping @Sendable () -> Void) -> (any Sendable)? {
        NewsBell(in: news, ring)
    }

    package func knownStamp(of name: DocumentName) throws(StoreFailure) -> ChangeStamp? {
        if name.isOfUploads { return try spool.stamp(of: name) }
        if let known = news.stamp(of: name.path) { return known }
        return isKnownAbsent(name) ? nil : try stamp(of: name)
    }

    /// Whether the store has said that a document is not there, by itself or by a list of its folder, and
    /// nothing has been announced since.
    func isKnownAbsent(_ name: DocumentName) -> Bool {
        if news.isAbsent(name.path) { return true }
        guard let folder = name.folder, let last = name.components.last,
            !name.isJournal, case .some(.some(let stamp)) = news.stamp(of: folder.path),
            let list = lists[folder], list.stamp == stamp, !news.isSilent
        else { return false }
        return !list.keys.contains(last)
            && !list.keys.contains(last + DocumentName.previousSuffix)
    }

    package func knownDocument(_ name: DocumentName) throws(StoreFailure) -> StoredDocument? {
        guard !name.isJournal, !name.isOfUploads else { return try read(name) }
        if let stamp = try knownStamp(of: name), let there = known[keys.key(name)],
            !there.isDeleted, Self.stamp(there.etag.text) == stamp
        {
            return StoredDocument(bytes: there.bytes)
        }
        return try read(name)
    }

    package func knownNames(in folder: DocumentName) throws(StoreFailure) -> [String] {
        if folder.isOfUploads { return try spool.names(in: folder) }
        let stamp = try knownStamp(of: folder)
        if let known = lists[folder], let stamp, known.stamp == stamp { return known.names }
        return try names(in: folder)
    }

    /// Looks for news once.
    ///
    /// As long as the store is silent nobody else asks it anything: every thread of the server would wait
    /// for it, also those that could answer from memory.
    fileprivate func look(
        after known: Announcements.PageObject?,
        by watcher: S3Client,
    ) throws(StoreFailure) -> Announcements.PageObject? {
        let sent = ContinuousClock.now
        do throws(StoreFailure) {
            let found = try readNews(unless: known, by: watcher)
            client.caller.gate.open()
            news.note(found?.page ?? NewsPage())
            news.hear(from: sent, isThere: found != nil)
            return found
        } catch {
            if news.isSilent {
                client.caller.gate.close(because: .silent(host: client.bucket.host))
            }
            throw error
        }
    }
}

/// The names in folders, as they were under a stamp.
final class KnownLists: Sendable {
    struct List: Sendable {
        let stamp: ChangeStamp
        /// Of documents, journals and folders, in order.
        let names: [String]
        /// Everything that is directly in the folder, earlier generations too.
        let keys: Set<String>
    }

    private let lists = Mutex<[DocumentName: List]>([:])

    subscript(_ folder: DocumentName) -> List? {
        get { lists.withLock { $0[folder] } }
        set { lists.withLock { $0[folder] = newValue } }
    }

    /// Adds what this process has just written at or below a folder.
    ///
    /// - Parameters:
    ///   - name: of the document or journal.
    ///   - stamp: its own.
    ///   - place: the folder, one of those above it.
    ///   - before: the folder’s stamp without it.
    /// - Returns: the folder’s stamp with it; nil where its list is not known.
    func add(
        _ name: DocumentName,
        _ stamp: ChangeStamp,
        to place: String,
        _ before: ChangeStamp,
    ) -> ChangeStamp? {
        guard let folder = try? DocumentName(path: place),
            name.components.count > folder.components.count
        else { return nil }
        let child = name.components[folder.components.count]
        // The stamp of a folder is made of the documents that are directly in it.
        let isDirect = name.components.count == folder.components.count + 1 && !name.isJournal
        return lists.withLock { lists in
            guard let list = lists[folder], list.stamp == before else { return nil }
            if !isDirect, list.keys.contains(child) { return before }
            let names = list.keys.contains(child) ? list.names : (list.names + [child]).sorted()
            var keys = list.keys.union([child])
            if isDirect, name.hasGenerations { keys.insert(child + DocumentName.previousSuffix) }
            let after = ObjectBackend.stamp("\(before.values) \(child) \(stamp.values)")
            lists[folder] = List(stamp: after, names: names, keys: keys)
            return after
        }
    }
}

/// Reads the page of news again and again, as long as it is kept.
private final class NewsFollower: ChangeFollowing {
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
private final class NewsBell: Sendable {
    private let news: NewsInMemory
    private let number: Int

    init(in news: NewsInMemory, _ ring: @escaping @Sendable () -> Void) {
        self.news = news
        number = news.addBell(ring)
    }

    deinit { news.removeBell(number) }
}
