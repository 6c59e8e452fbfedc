import Bytes
import Essentials
import Sandboxing
package import Versions

/// A mirror's bare copy of a repository.
package struct BareRepository: Sendable {
    /// Absolute, and ending in `.git`.
    package let path: String
    package let limits: RepositoryLimits

    package init(path: String, limits: RepositoryLimits) {
        self.path = path
        self.limits = limits
    }

    /// A branch or tag, and the commit that it points to.
    package struct Reference: Sendable, Equatable {
        /// `refs/heads/main`, `refs/tags/v1.2.3`.
        package let name: String
        package let commit: CommitIdentifier

        package init(name: String, commit: CommitIdentifier) {
            self.name = name
            self.commit = commit
        }
    }

    /// Runs git without network access, on this repository.
    package var git: Git {
        var git = Git(directory: path)
        git.trustsDirectory = true
        return git
    }

    /// Creates the repository if it does not exist.
    package func prepare() async throws {
        guard !FileManager.default.fileExists(atPath: path + "/HEAD") else { return }
        try FileManager.default.createDirectory(
            atPath: path,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700],
        )
        _ = try await git.output(["init", "--bare", "--quiet", "--template=", "--", path])
    }

    /// Updates every branch and tag to the remote's, and nothing else: merge requests have other names.
    ///
    /// The update is not atomic: in one transaction `git` could not create a branch `x/y` and delete `x`.
    /// Only one caller may fetch into the repository at a time.
    package func fetch(
        from address: MirrorAddress,
        with access: FetchAccess,
        progress: (@Sendable (ArraySlice<UInt8>) -> Void)? = nil,
    ) async throws {
        var git = git
        git.allowsFiles = address.kind == .file
        git.credential = access.credential
        git.surroundings = access.surroundings
        git.routeSettings = access.route.settings
        git.limits.time = .seconds(limits.fetchSeconds)
        git.limits.fileSize = limits.fileBytes
        let arguments = [
            "fetch", "--prune", "--force", "--no-tags", "--no-write-fetch-head",
            "--no-auto-maintenance", "--no-recurse-submodules", "--progress", "--end-of-options",
            address.description, "+refs/heads/*:refs/heads/*", "+refs/tags/*:refs/tags/*",
        ]
        removeLeftovers()
        defer { removeLeftovers() }
        var last: Git.Outcome?
        for options in access.route.sshOptions {
            git.sshOptions = options
            let outcome = try await git.run(arguments, progress: progress)
            if outcome.status == 0 { return }
            last = outcome
            // The next address is tried only if this one did not answer at all.
            guard outcome.says("ssh: connect to host ") else { break }
        }
        guard let last else { return }
        if let status = last.redirection { throw GitFailure.redirected(status) }
        // The limit killed a child of git's, which git only reports as text.
        if last.says("died of signal \(SIGXFSZ)") {
            throw GitFailure.tooLarge(bytes: limits.fileBytes)
        }
        throw GitFailure.failed(
            "fetch",
            status: last.status,
            said: Git.lastWords(last.errors),
        )
    }

    /// Returns every branch and tag that points to a commit, by name.
    package func references() async throws -> [Reference] {
        let format = "%(refname)%00%(objecttype)%00%(objectname)%00%(*objecttype)%00%(*objectname)"
        let text = try await git.output([
            "for-each-ref", "--format=\(format)", "refs/heads/", "refs/tags/",
        ])
        // Names that are not UTF-8 may decode to the same text. Only the first counts, because otherwise
        // the reference would seem to move at every sync.
        var names: Set<String> = []
        return text.split(separator: "\n").compactMap { line in
            let fields = line.split(separator: "\0", omittingEmptySubsequences: false)
            guard fields.count == 5 else { return nil }
            let isTagObject = fields[1] == "tag"
            guard (isTagObject ? fields[3] : fields[1]) == "commit",
                let commit = CommitIdentifier(isTagObject ? fields[4] : fields[2]),
                names.insert(String(fields[0])).inserted
            else { return nil }
            return Reference(name: String(fields[0]), commit: commit)
        }
    }

    /// Returns the commit that a full reference name points to.
    ///
    /// - Throws: ``GitFailure/unknown(_:)``.
    package func commit(of reference: String) async throws -> CommitIdentifier {
        let outcome = try await git.run([
            "rev-parse", "--verify", "--quiet", "--end-of-options", "\(reference)^{commit}",
        ])
        let text = String(decoding: outcome.output, as: UTF8.self)
        guard outcome.status == 0,
            let commit = CommitIdentifier(text.trimmingWhitespace())
        else { throw GitFailure.unknown(reference) }
        return commit
    }

    /// Whether the repository has a commit; false if it was never fetched.
    package func has(_ commit: CommitIdentifier) async throws -> Bool {
        guard FileManager.default.fileExists(atPath: path + "/HEAD") else { return false }
        let outcome = try await git.run(["cat-file", "-e", "\(commit)^{commit}"])
        return outcome.status == 0
    }

    /// Whether the repository has a commit that is reachable from a branch or tag.
    package func isReachable(_ commit: CommitIdentifier) async throws -> Bool {
        let outcome = try await git.run([
            "for-each-ref", "--count=1", "--contains", commit.description, "--format=%(refname)",
        ])
        return outcome.status == 0 && !outcome.output.isEmpty
    }

    /// Returns the bytes of a file in a commit; nil if there is no such file.
    package func file(
        _ path: String,
        at commit: CommitIdentifier,
        limit: Int,
    ) async throws -> [UInt8]? {
        guard let entry = try await entry(path, at: commit), entry.kind == "blob" else {
            return nil
        }
        var git = git
        git.limits.output = limit
        return try await git.bytes(["cat-file", "blob", "--end-of-options", entry.object])
    }

    /// Returns the commits of submodules in a commit, by path.
    func links(in commit: CommitIdentifier) async throws -> [String: CommitIdentifier] {
        var git = git
        git.limits.output = 256 << 20
        let listing = try await git.bytes([
            "ls-tree", "-r", "-z", "--full-tree", "--end-of-options", commit.description,
        ])
        var links: [String: CommitIdentifier] = [:]
        for entry in listing.split(separator: 0) where entry.starts(with: Self.linkMode) {
            guard let tab = entry.firstIndex(of: UInt8(ascii: "\t")),
                let path = String(validating: entry[(tab + 1)...], as: UTF8.self),
                let object = entry[..<tab].split(separator: UInt8(ascii: " ")).last,
                let link = CommitIdentifier(String(decoding: object, as: UTF8.self))
            else { continue }
            links[path] = link
        }
        return links
    }

    private static let linkMode = Array("160000 ".utf8)

    package func hasFolder(_ path: String, at commit: CommitIdentifier) async throws -> Bool {
        try await entry(path, at: commit)?.kind == "tree"
    }

    private func entry(
        _ path: String,
        at commit: CommitIdentifier,
    ) async throws -> (kind: String, object: String)? {
        let text = try await git.output([
            "--literal-pathspecs", "ls-tree", "-z", "--full-tree", "--end-of-options",
            commit.description, "--", path,
        ])
        guard let entry = text.split(separator: "\0").first,
            let tab = entry.firstIndex(of: "\t"), entry[entry.index(after: tab)...] == path
        else { return nil }
        let fields = entry[..<tab].split(separator: " ")
        guard fields.count == 3, CommitIdentifier(fields[2]) != nil else { return nil }
        return (String(fields[1]), String(fields[2]))
    }

    /// Checks out a commit into an empty folder, as a repository of its own with all tags and without a
    /// remote.
    ///
    /// Submodules stay empty folders, and symbolic links become files unless `symbolicLinks` is true.
    ///
    /// - Parameters:
    ///   - commit: the commit.
    ///   - folder: the empty folder.
    ///   - symbolicLinks: whether symbolic links are created.
    ///   - extent: what was checked out before; the files of this commit are added to it.
    /// - Throws: ``GitFailure``; for a commit that is too large, before any file is written.
    package func checkOut(
        _ commit: CommitIdentifier,
        into folder: String,
        symbolicLinks: Bool,
        after extent: inout CheckoutExtent,
    ) async throws {
        try await measure(commit, &extent)
        var git = Git(directory: folder)
        git.allowsFiles = true
        git.trustsDirectory = true
        git.makesSymbolicLinks = symbolicLinks
        git.limits.time = .seconds(limits.fetchSeconds)
        git.limits.fileSize = limits.fileBytes
        _ = try await git.output(["init", "--quiet", "--template=", "--", folder])
        _ = try await git.output([
            "fetch", "--quiet", "--no-write-fetch-head", "--no-recurse-submodules",
            "--end-of-options", path, "+refs/heads/*:refs/remotes/origin/*",
            "+refs/tags/*:refs/tags/*",
        ])
        _ = try await git.output([
            "checkout", "--quiet", "--force", "--detach", "--no-recurse-submodules",
            commit.description, "--",
        ])
    }

    /// Refuses a commit that would exceed the limits, before any of its files is written.
    private func measure(
        _ commit: CommitIdentifier,
        _ extent: inout CheckoutExtent,
    ) async throws {
        var git = git
        git.limits.output = 256 << 20
        let listing = try await git.bytes([
            "ls-tree", "-r", "-z", "-l", "--full-tree", "--end-of-options", commit.description,
        ])
        for entry in listing.split(separator: 0) {
            extent.files += 1
            // The mode, kind, object and size precede the tab; the size is padded with spaces.
            let fields = entry.prefix { $0 != UInt8(ascii: "\t") }.split(
                separator: UInt8(ascii: " ")
            )
            guard let size = fields.last.flatMap({ Int(String(decoding: $0, as: UTF8.self)) })
            else { continue }
            let (sum, isOver) = extent.bytes.addingReportingOverflow(size)
            guard !isOver, sum <= limits.fileBytes else {
                throw GitFailure.tooLarge(bytes: limits.fileBytes)
            }
            extent.bytes = sum
        }
        guard extent.files <= limits.files else {
            throw GitFailure.tooManyFiles(extent.files, limit: limits.files)
        }
    }
}

/// The size of a checkout on the disk, including its submodules.
package struct CheckoutExtent {
    package var files = 0
    package var bytes = 0

    package init() {}
}
