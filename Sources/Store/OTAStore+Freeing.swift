package import Cryptography
package import Identifiers
package import Releases

extension OTAStore {
    /// The blobs that nothing would refer to without these releases, with their sizes in bytes.
    ///
    /// - Parameter going: releases by app; releases that do not exist are ignored.
    /// - Returns: the blobs of each app that has any; a blob that several apps would free is listed for the
    ///   first of them by name.
    /// - Throws: ``StoreFailure``, also if a document cannot be read, because its references are then
    ///   unknown.
    package func blobs(
        onlyOf going: [BundleIdentifier: [ReleaseIdentifier]]
    ) throws(StoreFailure) -> [BundleIdentifier: [SHA256Digest: Int]] {
        var excluded: Set<DocumentName> = []
        for (app, releases) in going {
            for release in releases { excluded.insert(try .release(release, of: app)) }
        }
        let others = try StoreReferences(completelyOf: self, without: excluded).blobs
        var known: Set<SHA256Digest> = []
        var found: [BundleIdentifier: [SHA256Digest: Int]] = [:]
        for (app, releases) in going.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            for identifier in releases {
                guard let release = try release(identifier, of: app) else { continue }
                for blob in release.blobs
                where others[blob] == nil && known.insert(blob).inserted {
                    guard let facts = try backend.facts(of: blob) else { continue }
                    found[app, default: [:]][blob] = facts.size
                }
            }
        }
        return found
    }

    /// Deletes those of the given blobs that nothing refers to.
    ///
    /// A blob that was put within the last day is left for the next garbage collection, because the publish
    /// that put it may still be running.
    ///
    /// - Parameter candidates: the blobs to check.
    /// - Returns: those that nothing refers to, whether they were deleted now or earlier, or are left.
    /// - Throws: ``StoreFailure``, also if a document cannot be read; then nothing is deleted.
    package func free(_ candidates: Set<SHA256Digest>) throws(StoreFailure) -> Set<SHA256Digest> {
        let references = try StoreReferences(completelyOf: self).blobs
        let free = candidates.filter { references[$0] == nil }
        for blob in free where try backend.facts(of: blob) != nil {
            _ = try backend.delete(blob, unlessPutWithin: 24 * 3600)
        }
        return free
    }
}

extension StoreReferences {
    /// Reads every document.
    ///
    /// - Parameters:
    ///   - store: the store to read.
    ///   - excluded: releases that are treated as if they did not exist.
    /// - Throws: ``StoreFailure`` if a document is lost or cannot be read, because its references are then
    ///   unknown.
    init(
        completelyOf store: OTAStore,
        without excluded: Set<DocumentName> = [],
    ) throws(StoreFailure) {
        try self.init(of: store, without: excluded)
        if let lost = try store.lostDocuments().first { throw .lost(lost) }
        let unread = problems.first { $0.id != StoreProblem.missingRelease }
        if let problem = unread {
            throw .unreadable(path: problem.place, offset: nil, reason: problem.message)
        }
    }
}
