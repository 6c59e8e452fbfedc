import Zip

/// Finds the one app of an archive by the shape of its paths.
///
/// `SwiftSupport`, `WatchKitSupport2`, `Symbols`, `BCSymbolMaps`, `iTunesMetadata.plist`,
/// `__MACOSX` and whatever else lies beside `Payload`, and files such as `Payload/.DS_Store`, are
/// none of installd's business and not looked at.
struct PayloadFolder {
    /// `Payload/X.app`.
    let application: String

    init(in archive: ZipArchive) throws(BundleRefusal) {
        let shapes = Shapes(of: archive)
        guard let application = shapes.applications.min() else { throw shapes.refusal }
        guard shapes.applications.count == 1 else {
            throw .bundle(
                .severalApplications,
                place: "Payload",
                detail: "holds \(shapes.applications.count) apps: "
                    + shapes.applications.sorted().prefix(4).joined(separator: ", "),
            )
        }
        self.application = application
    }

    /// Every folder that could be meant, in one pass over the entries.
    private struct Shapes {
        var applications: Set<String> = []
        /// `Folder/Payload/X.app`, the least of them.
        var nested: String?
        /// `payload/X.app`.
        var misspelt: String?
        /// `Some.xcarchive/Products/Applications/X.app`, or `X.app` at the top.
        var stray: String?

        init(of archive: ZipArchive) {
            for entry in archive.entries {
                let parts = entry.path.split(separator: "/", maxSplits: 6)
                guard let index = parts.firstIndex(where: { $0.hasSuffix(".app") && $0 != ".app" }),
                    parts.count > index + 1 || entry.kind == .directory, parts[0] != "__MACOSX"
                else { continue }
                note(parts[...index], path: parts[...index].joined(separator: "/"))
            }
        }

        private mutating func note(_ parts: ArraySlice<Substring>, path: String) {
            let parents = parts.dropLast()
            if parents == ["Payload"] {
                applications.insert(path)
            } else if parents.last == "Payload" {
                nested = min(nested ?? path, path)
            } else if parents.last?.lowercased() == "payload" {
                misspelt = min(misspelt ?? path, path)
            } else {
                stray = min(stray ?? path, path)
            }
        }

        var refusal: BundleRefusal {
            if let nested {
                .bundle(.payloadNested, place: nested, detail: "lies below another folder")
            } else if let misspelt {
                .bundle(.payloadMisspelt, place: misspelt, detail: "is not below Payload/")
            } else if let stray {
                .bundle(.noApplication, place: stray, detail: "is an app outside Payload/")
            } else {
                .bundle(.noApplication, place: "Payload", detail: "has no .app folder")
            }
        }
    }
}
