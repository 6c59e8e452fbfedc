import Bytes
package import Versions

/// What a repository says about the version of one commit.
package struct CheckoutFacts: Sendable {
    package let facts: VersionFacts
    /// The version after which the notes begin.
    package let previous: TagName?
    package let remarks: [VersionRemark]
}

extension Git {
    /// The version of a commit, from the tags of its repository.
    ///
    /// Git is given hexadecimal commits and full names of tags only.
    ///
    /// - Parameters:
    ///   - commit: what is built.
    ///   - choice: which of the tags counts.
    ///   - allowsShallow: whether a repository with a part of its history will do.
    /// - Returns: the facts, and remarks about them.
    /// - Throws: ``CheckoutRefusal``, `VersionRefusal`, ``GitFailure`` or ``ProcessFailure``.
    package func versionFacts(
        of commit: CommitIdentifier,
        choosing choice: TagChoice,
        allowsShallow: Bool = false,
    ) async throws -> CheckoutFacts {
        let isShallow = try await isShallow()
        guard allowsShallow || !isShallow else { throw CheckoutRefusal.shallow(directory) }
        let (onCommit, refused) = try await tags("--points-at=\(commit)")
        let (before, _) = try await tags("--merged=\(commit)")
        var remarks: [VersionRemark] = isShallow ? [.shallow] : []
        let tag = try await tag(choosing: choice, among: onCommit, of: commit, remarking: &remarks)
        if tag == nil, case .found(let prefix) = choice {
            let others = onCommit.filter { (try? VersionTag($0, prefix: prefix)) == nil }
            let names = others.map(\.rawValue) + refused
            if !names.isEmpty { remarks.append(.noVersions(names.sorted())) }
        }
        let versions = before.compactMap {
            try? VersionTag($0, prefix: choice.prefix ?? tag?.prefix)
        }
        let previous =
            if let tag {
                tag.previous(among: versions)
            } else {
                try? VersionTag.released(as: before, prefix: choice.prefix)
            }
        let notes = try await notes(of: commit, tag: tag?.name, since: previous?.name)
        let facts = VersionFacts(
            tag: tag,
            base: previous?.version,
            commit: commit,
            count: try await count(commit, []),
            notes: notes.markdown(for: tag),
        )
        return CheckoutFacts(facts: facts, previous: previous?.name, remarks: remarks)
    }

    /// The commit of a tag; nil for a tag that is not there or is of no commit.
    package func commit(of tag: TagName) async throws -> CommitIdentifier? {
        let outcome = try await run([
            "rev-parse", "--verify", "--quiet", "--end-of-options", "\(tag.reference)^{commit}",
        ])
        guard outcome.status == 0 else { return nil }
        return CommitIdentifier(Self.line(outcome.output))
    }

    private func tag(
        choosing choice: TagChoice,
        among names: [TagName],
        of commit: CommitIdentifier,
        remarking remarks: inout [VersionRemark],
    ) async throws -> VersionTag? {
        switch choice {
        case .none: return nil
        case .found(let prefix): return try VersionTag.released(as: names, prefix: prefix)
        case .named(let name, let prefix):
            do throws(VersionFlaw) {
                let tag = try VersionTag(name, prefix: prefix)
                switch try? await self.commit(of: name) {
                case nil: remarks.append(.noSuchTag(name))
                case commit: break
                case let other?: remarks.append(.tagElsewhere(name, other))
                }
                return tag
            } catch {
                throw VersionRefusal.noVersion(name, error)
            }
        }
    }

    /// The tags that a filter leaves, and the names that are refused.
    private func tags(_ filter: String) async throws -> ([TagName], refused: [String]) {
        let references = try await output([
            "for-each-ref", filter, "--format=%(refname)", "refs/tags/",
        ]).split(separator: "\n")
        var names: [TagName] = []
        var refused: [String] = []
        for reference in references {
            if let name = try? TagName(reference: String(reference)) {
                names.append(name)
            } else {
                refused.append(String(reference.dropFirst("refs/tags/".count)))
            }
        }
        return (names, refused)
    }

    /// Counts what leads to a commit, without the history of another.
    private func count(
        _ commit: CommitIdentifier,
        _ options: [String],
        without excluded: CommitIdentifier? = nil,
    ) async throws -> Int {
        let arguments =
            ["rev-list", "--count"] + options
            + ["--end-of-options", commit.description] + (excluded.map { ["^\($0)"] } ?? []) + [
                "--"
            ]
        let text = try await output(arguments).trimmingWhitespace()
        guard let count = Int(text) else { throw GitFailure.badCommit(commit.description) }
        return count
    }

    private func notes(
        of commit: CommitIdentifier,
        tag: TagName?,
        since previous: TagName?,
    ) async throws -> VersionNotes {
        var excluded: CommitIdentifier?
        if let previous { excluded = try await self.commit(of: previous) }
        let subjects = try await output(
            [
                "log", "-z", "--no-merges", "--format=%s", "--encoding=UTF-8", "--no-color",
                "--max-count=\(VersionNotes.limit)", "--end-of-options", commit.description,
            ] + (excluded.map { ["^\($0)"] } ?? []) + ["--"]
        ).split(separator: "\0").map(String.init)
        return VersionNotes(
            message: try await message(of: tag),
            subjects: subjects,
            count: try await count(commit, ["--no-merges"], without: excluded),
        )
    }

    /// What an annotated tag says, without its signature; nothing for another tag.
    private func message(of tag: TagName?) async throws -> String {
        guard let tag else { return "" }
        let format = "%(objecttype)%00%(contents:subject)%0a%0a%(contents:body)"
        let text = try await output([
            "for-each-ref", "--count=1", "--format=\(format)", tag.reference,
        ])
        let parts = text.split(separator: "\0", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0] == "tag" else { return "" }
        return parts[1].trimmingWhitespace()
    }
}
