import Foundation

extension BareRepository {
    /// Removes what a fetch leaves if it is killed: partial packs, each as large as the limit, and lock
    /// files, which would make every later fetch fail.
    func removeLeftovers() {
        for folder in names(in: "objects") where folder.utf8.count == 2 || folder == "pack" {
            for name in names(in: "objects/" + folder) where name.hasPrefix("tmp_") {
                remove("objects/\(folder)/\(name)")
            }
        }
        for name in names(in: "") where name.hasSuffix(".lock") { remove(name) }
        // No reference's name ends in `.lock`.
        let references = FileManager.default.enumerator(atPath: path + "/refs")
        while let name = references?.nextObject() as? String {
            if name.hasSuffix(".lock") { remove("refs/" + name) }
        }
    }

    private func names(in folder: String) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: path + "/" + folder)) ?? []
    }

    private func remove(_ name: String) {
        _ = unsafe unlink(path + "/" + name)
    }
}
