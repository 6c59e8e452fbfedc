import Cryptography
import Essentials
import S3
package import Store

extension ObjectBackend {
    /// A bucket has no stamp for everything under a prefix, but the announcements provide one.
    package func changeStamp(of top: String) throws(StoreFailure) -> ChangeStamp? {
        news.stamp(ofTop: top)
    }

    package func stamp(of name: DocumentName) throws(StoreFailure) -> ChangeStamp? {
        if name.isOfUploads { return try spool.stamp(of: name) }
        // A command reads the settings first, and the stamp is still recent.
        if name == .settings, !news.isFollowed,
            case .some(.some(let stamp)) = news.stamp(of: name.path)
        {
            return stamp
        }
        let moment = news.moment()
        let stamp = try storedStamp(of: name)
        news.keep(stamp, of: name.path, since: moment)
        return stamp
    }

    private func storedStamp(of name: DocumentName) throws(StoreFailure) -> ChangeStamp? {
        if name.isJournal {
            return try segments(of: name).map(Self.stamp)
        }
        if try isNewRelease(name) {
            try requireStore()
            return nil
        }
        // A name without a dot is a folder's or a key's; a key is found below.
        let isFolder = name.components.last?.utf8.contains(UInt8(ascii: ".")) != true
        if !isFolder, known.isLarge(keys.key(name)) {
            let facts = try remote { () throws(S3Failure) in
                try client.facts(of: keys.key(name))
            }
            if let facts {
                let isDeleted = facts.metadata[DocumentObject.deletedName] != nil
                return isDeleted ? nil : Self.stamp(facts.etag.text)
            }
        } else if !isFolder, let there = try object(at: keys.key(name)) {
            // A caller that checks for a change reads the document next if it has changed.
            return there.isDeleted ? nil : Self.stamp(there.etag.text)
        }
        if name.path.hasSuffix(".json") {
            // No folder has such a name.
            if try hasEarlierGeneration(name) {
                return try present(name).map { Self.stamp($0.etag.text) }
            }
            try requireStore()
            return nil
        }
        if let list = try list(name) { return list.stamp }
        return try present(name).map { Self.stamp($0.etag.text) }
    }

    /// The stamp is a digest of the text: equal only for equal texts.
    static func stamp(_ text: String) -> ChangeStamp {
        let digest = SHA256Digest(of: Array(text.utf8)).bytes
        let values = [0, 8].map { start in
            digest[start..<start + 8].reduce(0) { $0 << 8 | Int($1) }
        }
        return ChangeStamp(values: values, isSettled: true)
    }

    package func documents() throws(StoreFailure) -> [DocumentName] {
        var names: Set<DocumentName> = []
        for object in try everything() {
            guard let name = keys.name(of: object.key), try !isDeleted(object) else { continue }
            names.insert(name)
        }
        return names.sorted()
    }

    package func lostDocuments() throws(StoreFailure) -> [DocumentName] {
        let suffix = DocumentName.previousSuffix
        let paths = Set(try everything().map { keys.path($0.key) })
        var lost: [DocumentName] = []
        for path in paths.sorted() where path.hasSuffix(suffix) {
            let own = String(path.dropLast(suffix.count))
            guard !paths.contains(own), let name = try? DocumentName(path: own) else { continue }
            // A deletion removes the earlier generation first; if that is gone by now, the document was
            // deleted.
            guard try object(at: keys.key(name)) == nil else { continue }
            if try hasEarlierGeneration(name) { lost.append(name) }
        }
        return lost
    }

    package func keepEarlierGenerations() throws(StoreFailure) {
        let paths = Set(try everything().map { keys.path($0.key) })
        for name in try documents() where name.hasGenerations {
            guard !paths.contains(name.path + DocumentName.previousSuffix),
                let there = try object(at: keys.key(name)), !there.isDeleted
            else { continue }
            try replace(there.bytes, at: keys.previous(name))
        }
    }

    /// Removes what interrupted writers left: files in the spool, and multipart uploads.
    @discardableResult
    package func sweep() throws(StoreFailure) -> Int {
        completeEntries()
        let abandoned = try remote { () throws(S3Failure) in
            try client.abortUploads(under: keys.blobs, olderThan: 24 * 3_600)
        }
        return try spool.sweep() + abandoned
    }

    /// All objects but blobs and internal ones.
    private func everything() throws(StoreFailure) -> [S3Listed] {
        let top = try remote { () throws(S3Failure) in
            try client.list(under: keys.root, oneLevel: true)
        }
        var all = top.objects
        for folder in top.folders where !keys.isInternal(folder) && folder != keys.root + "blobs/" {
            all += try remote { () throws(S3Failure) in try client.list(under: folder) }.objects
        }
        return all
    }
}
