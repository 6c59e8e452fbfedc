import Bytes
package import Versions

/// The version of one commit, as determined from its repository.
package struct CheckoutFacts: Sendable {
    package let facts: VersionFacts
    /// The tag of the previous version, after which the release notes begin.
    package let previous: TagName?
    package let remarks: [VersionRemark]
}

extension Git {
    /// Determines the version of the checked-out commit from the tags of its repository.
    ///
    /// Git is only passed hexadecimal commits and full names of tags.
    ///
    /// - Parameters:
    ///   - choice: the tag that determines the version.
    ///   - allowsShallow: whether a shallow clone is accepted.
    /// - Returns: the facts, and remarks about them.
    /// - Throws: ``CheckoutRefusal``, `VersionRefusal`, ``GitFailure`` or ``ProcessFailure``.
    package func versionFacts(
        choosing choice: TagChoice,
        allowsShallow: Bool = false,
    ) async throws -> CheckoutFacts {
        async let tagged = taggedCommits()
        let (commit, isShallow) = try await head()
        guard allowsShallow || !isShallow else { throw CheckoutRefusal.shallow(directory) }
        let history = try await history(
            of: commit,
            tagged: try await tagged,
            prefix: choice.prefix,
        )
        return try await facts(of: commit, history, isShallow: isShallow, choosing: choice)
    }

    /// Determines the version of any commit of a repository with its whole history.
    package func versionFacts(
        of commit: CommitIdentifier,
        choosing choice: TagChoice,
    ) async throws -> CheckoutFacts {
        async let tagged = taggedCommits()
        guard try await !isShallow() else { throw CheckoutRefusal.shallow(directory) }
        let history = try await history(
            of: commit,
            tagged: try await tagged,
            prefix: choice.prefix,
        )
        return try await facts(of: commit, history, isShallow: false, choosing: choice)
    }

    private func facts(
        of commit: CommitIdentifier,
        _ history: History,
        isShallow: Bool,
        choosing choice: TagChoice,
    ) async throws -> CheckoutFacts {
        var remarks: [VersionRemark] = isShallow ? [.shallow] : []
        let tag = try await tag(
            choosing: choice,
            among: history.onCommit,
            of: commit,
            remarking: &remarks,
        )
        if tag == nil, case .found(let prefix) = choice {
            let others = history.onCommit.filter { (try? VersionTag($0, prefix: prefix)) == nil }
            let names = others.map(\.rawValue) + history.refused
            if !names.isEmpty { remarks.append(.noVersions(names.sorted())) }
        }
        let previous =
            if let tag {
                tag.previous(among: history.versions)
            } else {
                try? VersionTag.released(among: history.versions, prefix: choice.prefix)
            }
        let notes = try await notes(of: commit, tag: tag?.name, since: previous?.name)
        let facts = VersionFacts(
            tag: tag,
            base: previous?.version,
            commit: commit,
            count: history.count,
            notes: notes.markdown(for: tag),
        )
        return CheckoutFacts(facts: facts, previous: previous?.name, remarks: remarks)
    }

    /// Returns the commit of a tag; nil if the tag does not exist or does not point to a commit.
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

    private func notes(
        of commit: CommitIdentifier,
        tag: TagName?,
        since previous: TagName?,
    ) async throws -> VersionNotes {
        async let said = message(of: tag)
        let range =
            ["--no-merges", "--end-of-options", commit.description]
            + (previous.map { ["^\($0.reference)"] } ?? []) + ["--"]
        let subjects = try await bytes(
            [
                "log", "-z", "--format=%s", "--encoding=UTF-8", "--no-color",
                "--max-count=\(VersionNotes.limit)",
            ] + range
        ).split(separator: 0, omittingEmptySubsequences: false).dropLast()
            .map { String(decoding: $0, as: UTF8.self) }
        var count = subjects.count
        if count == VersionNotes.limit {
            let text = try await output(["rev-list", "--count"] + range).trimmingWhitespace()
            guard let all = Int(text) else { throw GitFailure.badCommit(commit.description) }
            count = all
        }
        return VersionNotes(
            message: try await said,
            subjects: subjects.filter { !$0.isEmpty },
            count: count,
        )
    }

    /// Returns the message of an annotated tag without its signature; empty for a lightweight tag.
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
