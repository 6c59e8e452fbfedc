package import APIDocuments
import Access
package import Cryptography
package import Identifiers
package import Publishing
package import Releases
package import Store
package import Symbols

/// The dSYMs of releases.
extension LocalAdministration {
    /// Adds dSYMs to a release.
    ///
    /// - Parameters:
    ///   - bundles: the dSYMs.
    ///   - packed: the archive that contained them, and its digest; nil if they were in a folder.
    ///   - release: the release as a user names it.
    ///   - app: the app as a user names it.
    /// - Returns: all dSYMs of the release, and which are new.
    /// - Throws: what `OTAStore.keepSymbols` throws, and ``AdministrationRefusal``.
    package func addSymbols(
        _ bundles: [SymbolBundle],
        packed: (incoming: any IncomingBlob, digest: SHA256Digest)? = nil,
        to release: String,
        of app: String,
    ) throws -> SymbolsDocument {
        let release = try admin.release(named: release, of: admin.app(named: app))
        let kept = try admin.store.keepSymbols(
            bundles,
            packed: packed,
            with: release,
            by: admin.name,
            at: admin.clock(),
        )
        return SymbolsDocument(of: kept.release, added: kept.added, unmatched: kept.unmatched)
    }

    /// The dSYMs of a release, and its programs; without programs if its IPA cannot be read.
    package func symbols(of release: Release) -> SymbolsDocument {
        let programs = try? admin.store.programs(of: release)
        return SymbolsDocument(of: release, programs: programs ?? [])
    }

    /// The dSYM of one slice in a release.
    ///
    /// - Throws: `SymbolRefusal.unknown`, ``AdministrationRefusal``, `StoreFailure`.
    package func symbolFile(
        _ uuid: ImageUUID?,
        of release: String,
        of app: String,
    ) throws -> ReleaseSymbols.File {
        let release = try admin.release(named: release, of: admin.app(named: app))
        guard let uuid, let file = release.symbols?.file(of: uuid) else {
            throw SymbolRefusal.unknown
        }
        return file
    }

    /// Returns one dSYM for each UUID, of an app that the holder may read.
    package func symbols(of uuids: [ImageUUID]) throws -> [SymbolIndex.Place] {
        let index = try admin.store.symbolIndex()
        return uuids.compactMap { uuid in
            index[uuid].first { holder.may(.read, on: $0.app) }
        }
    }

    /// Writes the archive of a dSYM to a path.
    ///
    /// - Returns: the number of bytes.
    package func saveSymbols(_ file: ReleaseSymbols.File, to path: String) throws -> Int {
        let stored = try admin.store.open(file.blob)
        try durableCopy(of: stored.source, to: path, mode: .everyoneReads)
        return stored.size
    }
}
