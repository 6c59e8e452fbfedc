import Bytes
import Zip

/// Finds the one app of an archive by the shape of its paths.
///
/// `SwiftSupport`, `WatchKitSupport2`, `Symbols`, `BCSymbolMaps`, `iTunesMetadata.plist`,
/// `__MACOSX` and whatever else is beside `Payload`, and files such as `Payload/.DS_Store`, are
/// none of installd's business and not checked.
struct PayloadFolder {
    /// `Payload/X.app`.
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

    /// Every folder that could be meant, in one pass over the entries.
    private struct Shapes {
        var applications: Set<RelativePath> = []
        /// The one of ``applications`` that was seen last, below which most entries lie.
        private var latest: RelativePath?
        /// `Folder/Payload/X.app`, the least of them.
        var nested: RelativePath?
        /// `payload/X.app`.
        var misspelt: RelativePath?
        /// `Some.xcarchive/Products/Applications/X.app`, or `X.app` at the top.
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
