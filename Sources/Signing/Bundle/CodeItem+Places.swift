import Bundles
import Bytes
import Zip

extension CodeItem {
    /// Looks at the places where signing puts files: a link there would have a seal or a profile for its
    /// target, or lead out of the bundle.
    ///
    /// - Throws: ``BundleFault/placeTaken(name:)``.
    func checkPlaces(in archive: ZipArchive) throws(SigningRefusal) {
        guard isBundle else { return }
        let folder: RelativePath = "_CodeSignature"
        var places = [folder / "CodeResources"]
        if kind.hasOwnProfile { places.append("embedded.mobileprovision") }
        for place in places {
            let entry = archive[path / place]
            // A folder need not have an entry of its own.
            let isTaken =
                entry.map { $0.kind != .file }
                ?? archive.entries.contains { $0.path.isBelow(path / place) }
            if isTaken {
                throw .bundle(.placeTaken(name: place.text), at: path)
            }
        }
        if let entry = archive[path / folder], entry.kind != .directory {
            throw .bundle(.placeTaken(name: folder.text), at: path)
        }
    }
}
