import S3
package import Store
import Synchronization

/// One object shows every server what the others change.
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
        defer { announceLate(name, isListed: isListed, begun: begun) }
        do throws(StoreFailure) {
            let (result, outcome) = try change()
            news.end(name.path, outcome) { folder, before in
                guard case .made(let stamp?) = outcome else { return nil }
                return lists.add(name, stamp, to: folder, before)
            }
            return result
        } catch {
            news.end(name.path, .unknown) { _, _ in nil }
            throw error
        }
    }

    /// Announces a change once more that may have come late: others look at it for a while only, and then
    /// are sure that nothing more comes.
    ///
    /// That concerns one that failed, too: a write whose answer was lost may have been made. What the store
    /// does not take now is announced by the follower, as soon as the store answers it.
    private func announceLate(
        _ name: DocumentName,
        isListed: Bool,
        begun: ContinuousClock.Instant,
    ) {
        guard ContinuousClock.now - begun > news.timing.settling / 2 else { return }
        announcements.owe(name, isListed: isListed)
        announceOwed()
    }

    /// Announces what came late; what fails is kept for the next time.
    func announceOwed() {
        let owed = announcements.takeOwed()
        guard !owed.isEmpty else { return }
        do throws(StoreFailure) {
            let listed = owed.filter(\.value).map(\.key)
            _ = try announce(Array(owed.keys), listed: listed)
        } catch {
            for (name, isListed) in owed { announcements.owe(name, isListed: isListed) }
        }
    }

    package func prepareChanges(of names: [DocumentName], adding: [DocumentName]) {
        guard news.isFollowed || news.timing.trusting > .zero else { return }
        // Each change is announced by itself where this is not.
        _ = try? announce(names + adding, listed: adding)
    }

    /// Says that blobs may be deleted from now on.
    func announce(collectionAs path: String) throws(StoreFailure) {
        let batch = announcements.join([], listed: [], isCollecting: true)
        let sent = try write(batch, for: [])
        let made = Announcements.Made(date: sent, isListed: false, wasAbsent: false)
        announcements.note(path, made)
    }

    /// - Returns: when the announcement was sent.
    private func announce(
        _ names: [DocumentName],
        listed: [DocumentName],
    ) throws(StoreFailure) -> ContinuousClock.Instant {
        let listed = Set(listed.map(\.path))
        // Before the announcement, which puts that in doubt.
        let absent = Set(names.filter(isKnownAbsent).map(\.path))
        let batch = announcements.join(names.map(\.path), listed: listed)
        let date = try write(batch, for: names)
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

    /// - Returns: when the page was sent.
    private func write(
        _ batch: Announcements.Batch,
        for documents: [DocumentName],
    ) throws(StoreFailure) -> ContinuousClock.Instant {
        let begun = ContinuousClock.now
        try announcements.finish(batch) { known, names throws(StoreFailure) in
            for attempt in 0..<Self.announcing {
                var there = known
                if there == nil { there = try readNews() }
                var page = there?.page ?? NewsPage()
                page.add(changed: names.changed, listed: names.listed)
                if page.id == nil { page.id = identifier() }
                if names.isCollecting { page.collecting = client.caller.timing.now() }
                let sent = ContinuousClock.now
                batch.state.withLock { $0.sent = sent }
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
                    recollection.withLock { _ = $0?.own.insert(page.last) }
                    return news.note(page, isOwn: true, asked: sent)
                case .replaced: return recollection.withLock { $0?.isBlurred = true }
                case .refused:
                    client.caller.timing.pause(
                        client.caller.timing.random() * 0.02 * Double(min(attempt, 10))
                    )
                }
            }
            throw .conflict(documents.first ?? .settings)
        }
        return batch.state.withLock(\.sent) ?? begun
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

    package func followChanges() -> (any ChangeFollowing)? {
        notice?.end()
        return NewsFollower(self)
    }

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
    /// As long as the store is silent no one else asks it anything: every thread of the server would wait
    /// for it, also those that could answer from memory.
    func look(
        after known: Announcements.PageObject?,
        by watcher: S3Client,
    ) throws(StoreFailure) -> Announcements.PageObject? {
        let sent = ContinuousClock.now
        do throws(StoreFailure) {
            let found = try readNews(unless: known, by: watcher)
            client.caller.gate.open()
            news.note(found?.page ?? NewsPage(), asked: sent)
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
