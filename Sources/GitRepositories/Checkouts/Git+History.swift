import Sandboxing
import Synchronization
import Versions

/// A commit and its ancestors.
struct History: Sendable {
    var count = 0
    /// The tags on the commit and its ancestors that name a version.
    var versions: [VersionTag] = []
    /// All tags on the commit itself, by name.
    var onCommit: [TagName] = []
    /// Tags on the commit with names that are not accepted.
    var refused: [String] = []
}

extension Git {
    /// Full names of tags, by the digits of the commit that they lead to.
    typealias TaggedCommits = [String: [String]]

    /// All tags that lead to a commit, directly or through other tags.
    ///
    /// With this option before `--tags`, git skips tags whose objects are missing.
    func taggedCommits() async throws -> TaggedCommits {
        let lines = try await bytes([
            "log", "--no-walk=unsorted", "--ignore-missing", "--tags", "--decorate=full",
            "--decorate-refs=refs/tags/", "--format=%H%x00%D", "--no-color", "--end-of-options",
            "--",
        ]).split(separator: UInt8(ascii: "\n"))
        var tagged: TaggedCommits = [:]
        for line in lines {
            guard let end = line.firstIndex(of: 0) else { continue }
            // As in `tag: refs/tags/v1.0, tag: refs/tags/v1.1`; no name has a space.
            let words = line[(end + 1)...].split(separator: UInt8(ascii: " "))
            let names = words.enumerated().filter { $1.starts(with: "refs/tags/".utf8) }
                .map { place, word in
                    let isLast = place == words.count - 1
                    return String(decoding: isLast ? word : word.dropLast(), as: UTF8.self)
                }
            tagged[String(decoding: line[..<end], as: UTF8.self)] = names
        }
        return tagged
    }

    /// Counts a commit and its ancestors and finds their tags, in one walk.
    ///
    /// The walk prints only commit hashes: to print tags as well, git would parse and format each commit,
    /// which takes a third longer.
    ///
    /// - Parameters:
    ///   - commit: the commit at which the walk begins.
    ///   - tagged: the commits that have tags.
    ///   - prefix: the prefix of the app's tags, if the repository has several apps.
    /// - Returns: the history.
    /// - Throws: ``GitFailure`` or ``ProcessFailure``.
    func history(
        of commit: CommitIdentifier,
        tagged: TaggedCommits,
        prefix: String?,
    ) async throws -> History {
        var git = self
        // Nothing of it is kept.
        git.limits.output = 1 << 30
        let walk = CommitWalk(to: commit, tagged, prefix: prefix)
        try await git.stream(["rev-list", "--end-of-options", commit.description, "--"]) {
            walk.take($0)
        }
        var history = walk.history
        history.onCommit.sort { $0.rawValue < $1.rawValue }
        return history
    }
}

/// Counts the lines of `rev-list` as they arrive, and reads the tags of tagged commits meanwhile.
private final class CommitWalk: Sendable {
    private struct State {
        var history = History()
        /// The beginning of a line whose end has not arrived.
        var rest: [UInt8] = []
    }

    private let end: String
    private let tagged: Git.TaggedCommits
    private let prefix: String?
    private let state = Mutex(State())

    init(to commit: CommitIdentifier, _ tagged: Git.TaggedCommits, prefix: String?) {
        end = commit.description
        self.tagged = tagged
        self.prefix = prefix
    }

    var history: History { state.withLock { $0.history } }

    func take(_ piece: ArraySlice<UInt8>) {
        state.withLock { state in
            var lines = piece.split(
                separator: UInt8(ascii: "\n"),
                omittingEmptySubsequences: false,
            )
            let rest = lines.removeLast()
            for line in lines {
                let commit = String(decoding: state.rest + line, as: UTF8.self)
                state.rest.removeAll(keepingCapacity: true)
                state.history.count += 1
                for name in tagged[commit] ?? [] {
                    note(name, isOnCommit: commit == end, in: &state.history)
                }
            }
            state.rest += rest
        }
    }

    private func note(_ reference: String, isOnCommit: Bool, in history: inout History) {
        if let tag = try? TagName(reference: reference) {
            if let version = try? VersionTag(tag, prefix: prefix) {
                history.versions.append(version)
            }
            if isOnCommit { history.onCommit.append(tag) }
        } else if isOnCommit {
            let name = reference.utf8.dropFirst("refs/tags/".utf8.count)
            history.refused.append(String(decoding: name, as: UTF8.self))
        }
    }
}
