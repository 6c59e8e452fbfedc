import Bytes
import Zip

/// Finds the app of an archive by its paths.
///
/// installd ignores everything beside `Payload`, such as `SwiftSupport`, `WatchKitSupport2`, `Symbols`,
/// `BCSymbolMaps`, `iTunesMetadata.plist` and `__MACOSX`, and files such as `Payload/.DS_Store`; they are
/// not checked.
struct PayloadFolder {
    /// The app's folder, `Payload/X.app`.
    let application: RelativePath

    init(in archive: ZipArchive) throws(BundleRefusal) {
        let shapes = Shapes(of: archive)
        guard let application = shapes.applications.min() else { throw shapes.refusal }
        guard shapes.applications.count == 1 else {
            throw .bundle(
                .severalApplications,
                place: "Payload",
                detail: "holds \(shapes.applications.count.grouped) apps: "
                    + shapes.applications.sorted().prefix(4).map(\.text).joined(separator: ", "),
            )
        }
        self.application = application
    }

    /// All possible app folders, found in one pass over the entries.
    private struct Shapes {
        var applications: Set<RelativePath> = []
        /// The last one found of ``applications``, which contains most of the following entries.
        private var latest: RelativePath?
        /// `Folder/Payload/X.app`, the first by path.
        var nested: RelativePath?
        /// `payload/X.app`.
        var misspelt: RelativePath?
        /// `Some.xcarchive/Products/Applications/X.app`, or `X.app` at the root.
        var stray: RelativePath?

        /// `AndroidManifest.xml` of an `.apk`, or `base/manifest/AndroidManifest.xml` of an `.aab`.
        var android: RelativePath?

        init(of archive: ZipArchive) {
            for entry in archive.entries where latest.map(entry.path.isBelow) != true {
                let parts = entry.path.components
                if Self.androidManifests.contains(parts) { android = entry.path }
                guard let index = parts.prefix(7).firstIndex(where: { $0.fileExtension == "app" }),
                    parts.count > index + 1 || entry.kind == .directory, parts[0] != "__MACOSX"
                else { continue }
                note(parts[..<index], path: parts[...index].joined())
            }
        }

        private static let androidManifests: [[RelativePath]] = [
            ["AndroidManifest.xml"], ["base", "manifest", "AndroidManifest.xml"],
        ]

        private mutating func note(_ parents: ArraySlice<RelativePath>, path: RelativePath) {
            if parents == ["Payload"] {
                applications.insert(path)
                latest = path
            } else if parents.last == "Payload" {
                nested = min(nested ?? path, path)
            } else if parents.last?.text.lowercased() == "payload" {
                misspelt = min(misspelt ?? path, path)
            } else {
                stray = min(stray ?? path, path)
            }
        }

        var refusal: BundleRefusal {
            if let nested {
                .bundle(.payloadNested, place: nested.text, detail: "is below another folder")
            } else if let misspelt {
                .bundle(.payloadMisspelt, place: misspelt.text, detail: "is not below Payload/")
            } else if let stray {
                .bundle(.noApplication, place: stray.text, detail: "is an app outside Payload/")
            } else if let android {
                .bundle(
                    .androidApplication,
                    place: android.text,
                    detail: "this is an Android app",
                )
            } else {
                .bundle(.noApplication, place: "Payload", detail: "has no .app folder")
            }
        }
    }
}
