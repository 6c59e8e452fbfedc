import Bundles
package import Cryptography
package import Identifiers
package import Inspection
package import Releases

extension OTAStore {
    /// Changes what a release's record says beside its bytes.
    ///
    /// - Returns: the release, and whether anything changed.
    /// - Throws: ``ReleaseRefusal/unknownRelease(_:)``, what `change` throws, and ``StoreFailure``.
    package func changeRelease(
        _ identifier: ReleaseIdentifier,
        of app: BundleIdentifier,
        _ change: (inout Release) throws -> Void,
    ) throws -> (release: Release, isChanged: Bool) {
        let name = try DocumentName.release(identifier, of: app)
        guard try backend.stamp(of: name) != nil else {
            throw ReleaseRefusal.unknownRelease(identifier)
        }
        let result = try self.change(name, else: nil, change)
        return (result.value, result.isChanged)
    }

    /// Whether the release is there at this moment, past the cache.
    package func hasRelease(
        _ identifier: ReleaseIdentifier,
        of app: BundleIdentifier,
    ) throws(StoreFailure) -> Bool {
        try backend.stamp(of: .release(identifier, of: app)) != nil
    }

    /// Removes a release unless a channel offers it.
    ///
    /// A channel that begins to offer it at the same moment is looked for once more afterwards, and
    /// the release is put back for it.
    ///
    /// - Returns: whether it is gone.
    package func removeRelease(
        _ identifier: ReleaseIdentifier,
        of app: BundleIdentifier,
    ) throws(StoreFailure) -> Bool {
        let name = try DocumentName.release(identifier, of: app)
        guard try !isOffered(identifier, of: app), let document = try backend.read(name) else {
            return false
        }
        try backend.delete(name, at: document.version)
        cache.forget(name)
        cache.forget(try .releases(of: app))
        guard try isOffered(identifier, of: app) else { return true }
        _ = try backend.writes(document.bytes, to: name, if: .absent)
        return false
    }

    /// The stored form of a report.
    package static func encoded(_ report: InspectionReport) throws(StoreFailure) -> [UInt8] {
        try DocumentCoding.encode(report, for: DocumentName(known: "report"))
    }

    /// Looks past the cache.
    private func isOffered(
        _ identifier: ReleaseIdentifier,
        of app: BundleIdentifier,
    ) throws(StoreFailure) -> Bool {
        let name = try DocumentName.app(app)
        guard let document = try backend.read(name) else { return false }
        return try DocumentCoding.decode(AppRecord.self, from: document.bytes, path: name.path)
            .channels.values.contains(identifier)
    }
}

extension ReleaseRefusal {
    /// Refuses to publish `digest` over a release, where that is not allowed.
    package static func check(
        _ there: Release,
        against digest: SHA256Digest,
        replace: Bool,
    ) throws(ReleaseRefusal) {
        if there.archive(digest) != nil {
            guard there.withdrawal == nil else { throw .withdrawn(there.identifier) }
        } else {
            guard replace else {
                throw .otherBytes(there.identifier, there: there.original.sha256)
            }
        }
    }
}
