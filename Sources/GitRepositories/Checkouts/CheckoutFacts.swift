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
    /// Determines the version of a commit from the tags of its repository.
    ///
    /// Git is only passed hexadecimal commits and full names of tags.
    ///
    /// - Parameters:
    ///   - commit: the commit to build.
    ///   - choice: the tag that determines the version.
    ///   - allowsShallow: whether a shallow clone is accepted.
    /// - Returns: the facts, and remarks about them.
    /// - Throws: ``CheckoutRefusal``, `VersionRefusal`, ``GitFailure`` or ``ProcessFailure``.
    package func versionFacts(
        of commit: CommitIdentifier,
        choosing choice: TagChoice,
        allowsShallow: Bool = false,
    ) async throws -> CheckoutFacts {
        async let shallow = isShallow()
        async let walked = history(of: commit)
        let isShallow = try await shallow
        guard allowsShallow || !isShallow else { throw CheckoutRefusal.shallow(directory) }
        let history = try await walked
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
        let versions = history.tags.compactMap {
            try? VersionTag($0, prefix: choice.prefix ?? tag?.prefix)
        }
        let previous =
            if let tag {
                tag.previous(among: versions)
            } else {
                try? VersionTag.released(as: history.tags, prefix: choice.prefix)
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

    /// A commit and its ancestors.
    private struct History {
        var count = 0
        /// The tags on the commit and its ancestors, by name.
        var tags: [TagName] = []
        /// The tags on the commit itself.
        var onCommit: [TagName] = []
        /// Tags on the commit with names that are not accepted.
        var refused: [String] = []
    }

    /// Counts a commit and its ancestors and finds their tags, in one walk.
    private func history(of commit: CommitIdentifier) async throws -> History {
        let commits = try await bytes([
            "log", "--decorate=full", "--decorate-refs=refs/tags/", "--format=%x00%D",
            "--no-color", "--end-of-options", commit.description, "--",
        ]).split(separator: 0, omittingEmptySubsequences: false).dropFirst()
        var history = History(count: commits.count)
        for (index, decoration) in commits.enumerated() where decoration.count > 1 {
            // For example `tag: refs/tags/v1.0, tag: refs/tags/v1.1`; no name has a space.
            let words = decoration.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\n") }
            for (place, word) in words.enumerated() where word.starts(with: "refs/tags/".utf8) {
                let isLast = place == words.count - 1
                let reference = String(decoding: isLast ? word : word.dropLast(), as: UTF8.self)
                if let tag = try? TagName(reference: reference) {
                    history.tags.append(tag)
                    if index == 0 { history.onCommit.append(tag) }
                } else if index == 0 {
                    let name = reference.utf8.dropFirst("refs/tags/".utf8.count)
                    history.refused.append(String(decoding: name, as: UTF8.self))
                }
            }
        }
        history.tags.sort { $0.rawValue < $1.rawValue }
        history.onCommit.sort { $0.rawValue < $1.rawValue }
        return history
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
