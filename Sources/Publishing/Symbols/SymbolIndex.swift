package import Identifiers
package import Releases
package import Store

/// The releases that have the dSYM of a slice.
package struct SymbolIndex: Sendable {
    package struct Place: Sendable, Equatable {
        package let app: BundleIdentifier
        package let release: ReleaseIdentifier
        package let file: ReleaseSymbols.File
        package let image: ReleaseSymbols.Image
    }

    private var places: [ImageUUID: [Place]] = [:]

    /// The releases with the dSYM, the newest version of each app first.
    package subscript(uuid: ImageUUID) -> [Place] { places[uuid] ?? [] }

    init(_ releases: some Sequence<Release>) {
        for release in releases {
            guard let symbols = release.symbols else { continue }
            // A file may also contain slices of other programs, even of other apps.
            let own = Set(symbols.programs.flatMap(\.images).map(\.uuid))
            for file in symbols.files {
                for image in file.images where own.contains(image.uuid) {
                    places[image.uuid, default: []].append(
                        Place(
                            app: release.bundleIdentifier,
                            release: release.identifier,
                            file: file,
                            image: image,
                        )
                    )
                }
            }
        }
    }
}

extension OTAStore {
    /// The dSYMs of all releases, cached until an app or a release changes; a release with a damaged record
    /// is skipped.
    package func symbolIndex() throws(StoreFailure) -> SymbolIndex {
        try derived("symbols", of: ["apps"]) { () throws(StoreFailure) in
            var releases: [Release] = []
            for app in try appListing().apps {
                releases += try releaseListing(of: app.bundleIdentifier).releases
                    .filter { $0.symbols != nil }
            }
            return SymbolIndex(releases)
        }
    }
}
