import Bundles
import Bytes
import Zip

extension CodeItem {
    /// Checks the paths where signing writes files: a symbolic link there would put the seal or profile
    /// at its target, possibly outside the bundle.
    ///
    /// - Throws: ``BundleFault/placeTaken(name:)``.
    func checkPlaces(in archive: ZipArchive) throws(SigningRefusal) {
        guard isBundle else { return }
        let folder: RelativePath = "_CodeSignature"
        var places = [folder / "CodeResources"]
        if kind.hasOwnProfile { places.append("embedded.mobileprovision") }
        for place in places {
            let entry = archive[path / place]
            // A folder may have no entry of its own.
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
