import Bytes
import Cryptography
import Essentials
import GitRepositories
import Mirrors
import Versions

/// Puts the submodules of a commit into its checkout, where the mirror allows any.
///
/// `git submodule` runs what a configuration says and takes its paths as they come; so each one is
/// fetched and checked out like the mirror's own repository, with the same limits over all of them.
struct SubmoduleCheckout {
    let place: MirrorContext
    let mirror: Mirror
    let allowed: SubmodulePolicy
    /// Of the outermost checkout, absolute.
    let top: String
    /// Says what is fetched.
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
    ///   - commit: whose submodules are wanted.
    ///   - repository: that has the commit.
    ///   - address: where that was fetched from.
    ///   - folder: of its checkout, relative to the outermost one; empty for that.
    ///   - extent: what the checkout has so far.
    ///   - depth: of the folder, in submodules.
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

    /// A copy of the repository, which later builds use again.
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

    /// Whether the checkout made an empty folder there, and no link on the way leads elsewhere.
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
