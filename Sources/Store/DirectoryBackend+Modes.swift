#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Restricts secrets to their owner.
extension DirectoryBackend {
    /// Removes the permissions of group and others on `keys/` and its files.
    package func tightenSecrets() throws(StoreFailure) -> [String] {
        try systemCall { () throws(SystemFailure) in
            var repaired: [String] = []
            for (path, status) in try wideSecrets() {
                guard unsafe chmod(path, status.st_mode & 0o700) == 0 else {
                    throw .last("change the mode of", path)
                }
                repaired.append(path)
            }
            return repaired
        }
    }

    package func secretProblems() throws(StoreFailure) -> [StoreProblem] {
        try systemCall { () throws(SystemFailure) in try wideSecrets() }.map { path, _ in
            StoreProblem(
                id: "store.readable-secret",
                place: path,
                message: "users other than the owner can read or change \(path)",
                fix:
                    "run `chmod go= \(path)`, and create new keys if others use this machine",
            )
        }
    }

    private func wideSecrets() throws(SystemFailure) -> [(path: String, status: stat)] {
        let folder = root + "/keys"
        var wide: [(path: String, status: stat)] = []
        var seen: Set<UInt64> = []
        for path in [folder] + (try Folder.names(in: folder).map { folder + "/" + $0 }) {
            guard let status = try Folder.status(path), status.st_mode & 0o077 != 0 else {
                continue
            }
            // Skip a second link to the same file.
            guard seen.insert(UInt64(status.st_ino)).inserted else { continue }
            wide.append((path, status))
        }
        return wide
    }
}
