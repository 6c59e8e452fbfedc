import Bytes
import Cryptography
package import Essentials
import S3
package import Store
import Synchronization

/// Lets a command start with the cache of the previous one.
extension ObjectBackend {
    /// Loads the cache that ``keepKnowledge(at:)`` saved on this machine, without what has been announced
    /// as changed since.
    ///
    /// For a process that does not follow changes. The loaded values are valid as long as values that it
    /// reads itself.
    ///
    /// - Throws: ``StoreFailure`` if the store does not answer; a cache that cannot be read is ignored.
    package func recall(at now: Date) throws(StoreFailure) {
        let moment = news.moment()
        let reading = try remote { () throws(S3Failure) in try client.read(keys.news) }
        guard case .found(let object) = reading else {
            return recollection.withLock { $0 = Recollection(number: 0, unsettled: []) }
        }
        noteStoreFound()
        let page = try NewsPage(object.bytes, at: keys.path(keys.news))
        announcements.know(
            Announcements.PageObject(
                page: page,
                etag: object.facts.etag,
                writes: object.facts.writes,
            )
        )
        let isSettled = Self.age(object.facts) > Self.settlingSeconds
        var began = Recollection(number: page.last, unsettled: isSettled ? [] : page.entries)
        if var kept = keptKnowledge(), kept.keepUp(with: page, at: now) {
            take(kept, since: moment)
            for (digest, bytes) in kept.blobs {
                if let digest = SHA256Digest(hex: digest) { began.blobs[digest] = Array(bytes) }
            }
        }
        recollection.withLock { $0 = began }
    }

    /// Saves the cache of this process for ``recall(at:)``; ignores errors.
    package func keepKnowledge(at now: Date) {
        guard let began = recollection.withLock({ $0 }), !began.isBlurred,
            let page = announcements.page, let id = page.id, page.dropped <= began.number
        else { return }
        var kept = KeptKnowledge(place: place, page: id, number: page.last, saved: now)
        var left = KeptKnowledge.most
        func hasRoom(_ count: Int) -> Bool {
            guard count <= KeptKnowledge.largest, count <= left else { return false }
            left -= count
            return true
        }
        for (key, object) in known.all where !keys.isInternal(key) && !object.isDeleted {
            guard let name = keys.name(of: key), !name.isSecret, hasRoom(object.bytes.count)
            else { continue }
            kept.objects[name.path] = KeptKnowledge.Object(object)
        }
        for path in news.absentPaths where path.hasSuffix(".json") { kept.absent.append(path) }
        for (folder, list) in lists.all where hasRoom(list.keys.reduce(0) { $0 + $1.utf8.count }) {
            kept.lists[folder.path] = KeptKnowledge.List(
                stamp: list.stamp.values,
                names: list.names,
                keys: list.keys.sorted(),
            )
        }
        for (name, there) in journals.all where hasRoom(there.tail.bytes.count) {
            kept.journals[name.path] = KeptKnowledge.Journal(there)
        }
        for (digest, bytes) in began.blobs where hasRoom(bytes.count) {
            kept.blobs[digest.description] = Data(bytes)
        }
        // It is unknown whether what others have announced meanwhile changed before or after it was read.
        for entry in page.entries where entry.number > began.number {
            if began.own.contains(entry.number) {
                kept.forgetLists(above: entry.listed)
            } else {
                kept.forget(entry)
            }
        }
        for entry in began.unsettled { kept.forget(entry) }
        write(kept)
    }

    /// Whether a release does not exist, found by one list; false if it may exist or this is not checked.
    ///
    /// Publishing asks for a release that usually does not exist, and neither does an earlier generation.
    func isNewRelease(_ name: DocumentName) throws(StoreFailure) -> Bool {
        guard recollection.withLock({ $0 != nil }), name.isRelease, known[keys.key(name)] == nil
        else { return false }
        return try remote { () throws(S3Failure) in
            try client.list(under: keys.key(name))
        }.objects.isEmpty
    }

    /// Remembers a small blob that was put, for ``keepKnowledge(at:)``.
    func remember(_ blob: SHA256Digest, _ source: any ByteSource) {
        guard source.count <= KeptKnowledge.largest, recollection.withLock({ $0 != nil }),
            let bytes = try? source.bytes(at: 0, count: source.count)
        else { return }
        recollection.withLock { began in
            // The blobs of the previous publish are no longer needed.
            if let count = began?.blobs.count, count >= Self.mostBlobs { began?.blobs = [:] }
            began?.blobs[blob] = bytes
        }
    }

    private static var mostBlobs: Int { 8 }

    /// The name of the document in the spool.
    private static var knowledge: String { "known.json" }

    /// Longer than any change takes after its announcement.
    private static var settlingSeconds: Int { 5 }

    private var place: String {
        "\(client.bucket.authority) \(client.bucket.name) \(keys.prefix)"
    }

    private func take(_ kept: KeptKnowledge, since moment: NewsInMemory.Moment) {
        for (path, object) in kept.objects {
            guard let name = try? DocumentName(path: path), let there = object.document else {
                continue
            }
            known.note(there, at: keys.key(name))
            news.keep(Self.stamp(there.etag.text), of: path, since: moment)
        }
        for path in kept.absent { news.keep(nil, of: path, since: moment) }
        for (path, list) in kept.lists {
            guard let folder = try? DocumentName(path: path) else { continue }
            let stamp = ChangeStamp(values: list.stamp, isSettled: true)
            lists[folder] = KnownLists.List(
                stamp: stamp,
                names: list.names,
                keys: Set(list.keys),
                asked: moment.asked,
            )
            news.keep(stamp, of: path, since: moment)
        }
        for (path, journal) in kept.journals {
            guard let name = try? DocumentName(path: path), let there = journal.segments else {
                continue
            }
            journals.note(there, of: name, asked: moment.asked)
        }
    }

    private func keptKnowledge() -> KeptKnowledge? {
        guard let name = try? DocumentName(Self.knowledge),
            let bytes = try? spool.read(name)?.bytes,
            let kept = try? JSONDecoder().decode(KeptKnowledge.self, from: Data(bytes)),
            kept.schema == 1, kept.place.isBytes(of: place)
        else { return nil }
        return kept
    }

    private func write(_ kept: KeptKnowledge) {
        guard let name = try? DocumentName(Self.knowledge),
            let data = try? JSONEncoder().encode(kept)
        else { return }
        let there = try? spool.read(name)
        let condition = there.map { WriteCondition.version($0.version) } ?? .absent
        _ = try? spool.write(Array(data), to: name, if: condition)
    }
}

extension DocumentName {
    /// Whether the document must not be copied to the spool: keys, teams and people with what is sealed in
    /// them, and most top-level documents.
    fileprivate var isSecret: Bool {
        switch components.first {
        case "keys", "teams", "people": true
        default: components.count == 1 && isOfSecrets
        }
    }

    /// Whether it is a top-level document, such as `tokens.json`, that is not among those that commands
    /// need.
    private var isOfSecrets: Bool {
        !["store.json", "devices.json", "profiles.json", "slugs.json"].contains(path)
    }

    fileprivate var isRelease: Bool {
        components.count == 4 && components[0] == "apps" && components[2] == "releases"
    }
}

extension KeptKnowledge.Object {
    init(_ object: DocumentObject) {
        self.init(
            bytes: Data(object.bytes),
            etag: object.etag.text,
            writes: object.writes,
            entry: object.entry,
            journal: object.journal,
            previous: object.previous?.text,
        )
    }

    /// Nil if its ETag is invalid.
    var document: DocumentObject? {
        guard let etag = ETag(etag) else { return nil }
        return DocumentObject(
            bytes: Array(bytes),
            etag: etag,
            writes: writes,
            entry: entry,
            isDeleted: false,
            previous: previous.flatMap(ETag.init),
            journal: journal,
        )
    }
}

extension KeptKnowledge.Journal {
    init(_ segments: JournalSegments) {
        self.init(
            starts: segments.starts,
            bytes: Data(segments.tail.bytes),
            etag: segments.tail.etag.text,
            writes: segments.tail.writes,
        )
    }

    /// Nil if its ETag is invalid.
    var segments: JournalSegments? {
        guard let etag = ETag(etag), let start = starts.last else { return nil }
        let tail = JournalTail(start: start, bytes: Array(bytes), etag: etag, writes: writes)
        return JournalSegments(starts: starts, tail: tail)
    }
}
