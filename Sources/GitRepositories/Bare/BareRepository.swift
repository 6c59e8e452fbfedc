import Bytes
import Essentials
import Sandboxing
package import Versions

/// The copy of a repository that a mirror keeps, without files checked out.
package struct BareRepository: Sendable {
    /// Absolute, ending in `.git`.
    package let path: String
    package let limits: RepositoryLimits

    package init(path: String, limits: RepositoryLimits) {
        self.path = path
        self.limits = limits
    }

    /// A branch or tag, and the commit that it leads to.
    package struct Reference: Sendable, Equatable {
        /// `refs/heads/main`, `refs/tags/v1.2.3`.
        package let name: String
        package let commit: CommitIdentifier

        package init(name: String, commit: CommitIdentifier) {
            self.name = name
            self.commit = commit
        }
    }

    /// For questions that are answered from what is here.
    package var git: Git {
        var git = Git(directory: path)
        git.trustsDirectory = true
        return git
    }

    /// Makes it where it is not there yet.
    package func prepare() async throws {
        guard !FileManager.default.fileExists(atPath: path + "/HEAD") else { return }
        try FileManager.default.createDirectory(
            atPath: path,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700],
        )
        _ = try await git.output(["init", "--bare", "--quiet", "--template=", "--", path])
    }

    /// Brings every branch and tag to where the other side has it, and nothing else: what a fork asks
    /// to have merged is under other names.
    ///
    /// Not all at once: in one step `git` could not make a branch `x/y` where `x` has gone. Only one
    /// caller may fetch into the repository at a time.
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
            // The next address is tried only where this one did not answer at all.
            guard outcome.says("ssh: connect to host ") else { break }
        }
        guard let last else { return }
        if let status = last.redirection { throw GitFailure.redirected(status) }
        // What git itself had started was ended by the limit, and git only says so.
        if last.says("died of signal \(SIGXFSZ)") {
            throw GitFailure.tooLarge(bytes: limits.fileBytes)
        }
        throw GitFailure.failed(
            "fetch",
            status: last.status,
            said: Git.lastWords(last.errors),
        )
    }

    /// Every branch and tag that leads to a commit, by name.
    package func references() async throws -> [Reference] {
        let format = "%(refname)%00%(objecttype)%00%(objectname)%00%(*objecttype)%00%(*objectname)"
        let text = try await git.output([
            "for-each-ref", "--format=\(format)", "refs/heads/", "refs/tags/",
        ])
        // Names that are no text become one: only the first of them counts, or it would move for ever.
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

    /// The commit that a full name leads to.
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

    /// Whether a commit is here; nothing is where the repository was never fetched into.
    package func has(_ commit: CommitIdentifier) async throws -> Bool {
        guard FileManager.default.fileExists(atPath: path + "/HEAD") else { return false }
        let outcome = try await git.run(["cat-file", "-e", "\(commit)^{commit}"])
        return outcome.status == 0
    }

    /// Whether a commit is here, and a branch or tag leads to it.
    package func isReachable(_ commit: CommitIdentifier) async throws -> Bool {
        let outcome = try await git.run([
            "for-each-ref", "--count=1", "--contains", commit.description, "--format=%(refname)",
        ])
        return outcome.status == 0 && !outcome.output.isEmpty
    }

    /// The bytes of a file of a commit; nil when there is no such file.
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

    /// The commits of other repositories that a commit has in its folders, by path.
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

    /// Writes the files of a commit into an empty folder, as a repository of its own with all tags and
    /// no address to push to.
    ///
    /// Submodules stay empty folders, and symbolic links become files unless the mirror says otherwise.
    ///
    /// - Parameters:
    ///   - commit: what is written.
    ///   - folder: where to.
    ///   - symbolicLinks: whether links are made.
    ///   - extent: what was written before; the files of this commit are added to it.
    /// - Throws: ``GitFailure``, for what is too large before a file is written.
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

    /// Refuses a commit that would fill the disk, before a file of it is written.
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
            // mode, kind, object and size before the tab; the size padded with spaces.
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

/// What a checkout has on the disk, its submodules included.
package struct CheckoutExtent {
    package var files = 0
    package var bytes = 0

    package init() {}
}
