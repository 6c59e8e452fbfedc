import Bytes
import Essentials
import Sandboxing
package import Versions

/// Bundles: a commit as one file that `git fetch` reads, for a machine that may not access this repository.
extension BareRepository {
    /// The number of commits known to the agent that are considered at most.
    package static let mostKnown = 64

    /// Makes a bundle of a commit as `refs/heads/build`, with everything that the commit needs and all tags
    /// on it and on its ancestors.
    ///
    /// Nothing is written to this repository, so that a fetch may run at the same time: the bundle is made
    /// in a separate repository that borrows this one's objects.
    ///
    /// - Parameters:
    ///   - commit: the commit, whether or not it is reachable from a branch or tag.
    ///   - known: commits that the other side says it has; those that are not in this repository are
    ///     ignored.
    ///   - folder: an empty folder, which the caller removes.
    /// - Returns: the bundle, whose pack is in a file in that folder.
    /// - Throws: ``GitFailure``.
    package func bundle(
        _ commit: CommitIdentifier,
        without known: [CommitIdentifier],
        in folder: String,
    ) async throws -> CommitBundle {
        let tags = try await tags(before: commit)
        let copy = try await borrowing(commit, tags, at: folder + "/repository.git")
        let known = known.prefix(Self.mostKnown).map(\.description)
        var without = known.isEmpty ? [] : ["--not"] + known
        if !known.isEmpty {
            let first = try await copy.output(
                ["rev-list", "--ignore-missing", "--max-count=1", "HEAD", "--not"] + known
            )
            // The other side has the commit, but it is sent again: a bundle must not be empty.
            if first.isEmpty { without = ["--not", "HEAD^@"] }
        }
        let path = folder + "/commit.bundle"
        _ = try await copy.output(
            ["bundle", "create", "--quiet", path, "--ignore-missing", "HEAD", "--tags"] + without
        )
        return try CommitBundle(
            [("refs/heads/build", commit.description)] + tags,
            insteadOfThoseIn: path,
        )
    }

    private typealias Tag = CommitBundle.Reference

    /// The tags on a commit and on its ancestors.
    private func tags(before commit: CommitIdentifier) async throws -> [Tag] {
        let text = try await git.output([
            "for-each-ref", "--merged=\(commit)", "--format=%(objectname)%00%(refname)",
            "refs/tags/",
        ])
        return text.split(separator: "\n").compactMap { line in
            let fields = line.split(separator: "\0")
            guard fields.count == 2, CommitIdentifier(fields[0]) != nil else { return nil }
            return (String(fields[1]), String(fields[0]))
        }
    }

    /// Creates a repository with only these references, which borrows its objects from this one.
    private func borrowing(
        _ commit: CommitIdentifier,
        _ tags: [Tag],
        at folder: String,
    ) async throws -> Git {
        var copy = Git(directory: folder)
        copy.trustsDirectory = true
        copy.limits.time = .seconds(limits.fetchSeconds)
        copy.limits.fileSize = limits.fileBytes
        try FileManager.default.createDirectory(
            atPath: folder,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700],
        )
        let format = commit.description.utf8.count == 64 ? "sha256" : "sha1"
        _ = try await copy.output([
            "init", "--bare", "--quiet", "--template=", "--object-format=\(format)", "--", folder,
        ])
        let references = tags.map { "\($0.object) \($0.name)\n" }.joined()
        let files = [
            ("HEAD", "\(commit)\n"), ("packed-refs", references),
            ("objects/info/alternates", path + "/objects\n"),
        ]
        try FileManager.default.createDirectory(
            atPath: folder + "/objects/info",
            withIntermediateDirectories: true,
        )
        for (name, text) in files {
            try Data(text.utf8).write(to: URL(filePath: "\(folder)/\(name)"))
        }
        return copy
    }
}
