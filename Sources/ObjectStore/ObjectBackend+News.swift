import S3
package import Store
import Synchronization

/// Announces changes to the other servers in one object.
extension ObjectBackend {
    /// Announces that a document or journal will change, and makes the change.
    ///
    /// - Parameters:
    ///   - name: the document or journal.
    ///   - isListed: whether it may be added or removed.
    ///   - change: makes the change, and returns the resulting state.
    /// - Returns: the result of `change`.
    /// - Throws: ``StoreFailure``; if the announcement fails, nothing is changed.
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

    /// Announces a change again that may have been late: other processes check for it only for a while
    /// after an announcement, and then rely on what they have read.
    ///
    /// This includes a failed change, because a write whose response was lost may have been made. If the
    /// store does not accept the announcement now, the follower makes it once the store answers again.
    private func announceLate(
        _ name: DocumentName,
        isListed: Bool,
        begun: ContinuousClock.Instant,
    ) {
        guard ContinuousClock.now - begun > news.timing.settling / 2 else { return }
        announcements.owe(name, isListed: isListed)
        announceOwed()
    }

    /// Announces changes that were late; if that fails, they are kept for the next attempt.
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
        // If this fails, each change is announced separately.
        _ = try? announce(names + adding, listed: adding)
    }

    /// Announces that blobs may be deleted.
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
        // Checked before the announcement, which invalidates it.
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

    /// The most attempts; other servers may be faster each time.
    private static var announcing: Int { 200 }

    /// The number of earlier writes among which a writer can find its own if the response was lost.
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

    /// Whether the store has answered that a document does not exist, directly or by a list of its folder,
    /// and nothing has been announced since.
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

    /// Polls the news page once.
    ///
    /// While the store does not answer, all other requests to it fail at once. Otherwise every thread of
    /// the server would block, including those that could answer from memory.
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
