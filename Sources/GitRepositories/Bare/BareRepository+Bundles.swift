import Bytes
import Essentials
import Sandboxing
package import Versions

/// A commit as one file that `git fetch` reads, for a machine that may not reach this repository.
extension BareRepository {
    /// The most commits of the agent that are considered.
    package static let mostKnown = 64

    /// Makes a bundle of a commit as `refs/heads/build`, of everything that the commit needs, and of all
    /// tags that lead to it or to a commit before it.
    ///
    /// Nothing is written into this repository, so that a fetch may run at the same time: the bundle is
    /// made in a repository of its own that borrows the objects of this one.
    ///
    /// - Parameters:
    ///   - commit: whether a branch or tag leads to it or not.
    ///   - known: commits that the other side says it has; those that are not here do not count.
    ///   - folder: an empty folder, which the caller removes.
    /// - Returns: the bundle, of which a file in that folder is a part.
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
            // The other side has it, and is given it all the same: a bundle must not be empty.
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

    /// The tags that a commit is described by.
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

    /// A repository with these references alone, which has its objects from this one.
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
