import Bytes
import Cryptography
import Essentials
import GitRepositories
import Mirrors
import Versions

/// Checks out the submodules of a commit, if the mirror allows any.
///
/// `git submodule` runs commands from the configuration and does not check paths. So each submodule is
/// fetched and checked out like the mirror's own repository, with the same limits over all of them.
struct SubmoduleCheckout {
    let place: MirrorContext
    let mirror: Mirror
    let allowed: SubmodulePolicy
    /// The absolute path of the outermost checkout.
    let top: String
    /// Writes to the log what is fetched.
    let say: @Sendable (String) -> Void
    private var count = 0

    init?(
        of mirror: Mirror,
        in place: MirrorContext,
        top: String,
        saying say: @escaping @Sendable (String) -> Void,
    ) {
        guard let allowed = mirror.submodules else { return nil }
        self.mirror = mirror
        self.place = place
        self.allowed = allowed
        self.top = top
        self.say = say
    }

    /// - Parameters:
    ///   - commit: the commit whose submodules are checked out.
    ///   - repository: the repository that has the commit.
    ///   - address: the address from which the repository was fetched.
    ///   - folder: the checkout's folder, relative to the outermost checkout; empty for the outermost one
    ///     itself.
    ///   - extent: the extent of the checkout so far.
    ///   - depth: the number of submodules above the folder.
    /// - Throws: ``SubmoduleFlaw``, ``GitFailure``, ``ProcessFailure``.
    mutating func fill(
        _ commit: CommitIdentifier,
        of repository: BareRepository,
        from address: MirrorAddress,
        in folder: String = "",
        after extent: inout CheckoutExtent,
        depth: Int = 0,
    ) async throws {
        let submodules = try await repository.submodules(
            of: commit,
            fetchedFrom: address,
            allowing: allowed,
        )
        for submodule in submodules {
            let path = folder.isEmpty ? submodule.path : "\(folder)/\(submodule.path)"
            guard depth < Submodule.depthLimit else { throw SubmoduleFlaw.tooDeep(path) }
            count += 1
            guard count <= Submodule.countLimit else { throw SubmoduleFlaw.tooMany }
            try checkEmptyFolder(path)
            say("submodule \(path): commit \(submodule.commit) of \(submodule.address)")
            let inner = try await fetched(submodule, path)
            try await inner.checkOut(
                submodule.commit,
                into: "\(top)/\(path)",
                symbolicLinks: mirror.makesSymbolicLinks,
                after: &extent,
            )
            try await fill(
                submodule.commit,
                of: inner,
                from: submodule.address,
                in: path,
                after: &extent,
                depth: depth + 1,
            )
        }
    }

    /// Fetches a copy of the submodule's repository, which later builds reuse.
    private func fetched(_ submodule: Submodule, _ path: String) async throws -> BareRepository {
        let name = SHA256Digest(of: Array(submodule.address.description.utf8)).description
        let repository = BareRepository(
            path: "\(place.folders.submodules(of: mirror.name))/\(name.prefix(32)).git",
            limits: mirror.limits.ofRepository,
        )
        try await repository.prepare()
        if try await repository.isReachable(submodule.commit) { return repository }
        try await place.fetch(submodule.address, into: repository, for: mirror)
        guard try await repository.isReachable(submodule.commit) else {
            throw SubmoduleFlaw.absent(path, commit: submodule.commit.description)
        }
        return repository
    }

    /// Checks that the checkout made an empty folder at the path, and that no symbolic link leads
    /// elsewhere.
    private func checkEmptyFolder(_ path: String) throws(SubmoduleFlaw) {
        var status = stat()
        var folder = top
        for part in path.pathParts where !part.isEmpty {
            folder += "/\(part)"
            guard unsafe lstat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
                throw .path(path)
            }
        }
        let names = try? FileManager.default.contentsOfDirectory(atPath: folder)
        guard names?.isEmpty == true else { throw .path(path) }
    }
}
