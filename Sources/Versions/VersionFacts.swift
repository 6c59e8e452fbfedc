/// The variables of a pipeline's environment that give a build its version.
package struct VersionFacts: Hashable, Sendable {
    /// The tag's name, or `dev`.
    package let tag: String
    /// The tag's version without `v`, or `dev`.
    package let version: String
    /// Three integers, as Xcode takes them; for `dev` those of the newest version before it.
    package let marketingVersion: String
    /// The commits that lead here, so that it grows; `CFBundleVersion`.
    package let buildNumber: Int
    /// `stable`, the word of a pre-release, or `dev`.
    package let channel: String
    package let commit: CommitIdentifier
    /// What changed since the previous version, Markdown.
    package let notes: String

    /// - Parameters:
    ///   - tag: what the build was tagged with; nil for a branch or a commit without a tag.
    ///   - base: the newest version before it, for a build without a tag.
    ///   - commit: what is built.
    ///   - count: the commits reachable from it, itself included.
    ///   - notes: the changes, as ``VersionNotes`` writes them.
    package init(
        tag: VersionTag?,
        base: Version?,
        commit: CommitIdentifier,
        count: Int,
        notes: String,
    ) {
        self.tag = tag?.name.rawValue ?? Self.development
        version = tag?.version.description ?? Self.development
        marketingVersion = (tag?.version ?? base)?.marketing ?? "0.0.0"
        buildNumber = count
        channel = tag?.version.channel ?? Self.development
        self.commit = commit
        self.notes = notes
    }

    /// What a build without a tag is called.
    package static let development = "dev"

    package var isDevelopment: Bool { tag == Self.development }

    /// The variables in the order in which they are shown.
    package var variables: [(name: String, value: String)] {
        [
            ("TAG", tag), ("VERSION", version), ("MARKETING_VERSION", marketingVersion),
            ("BUILD_NUMBER", String(buildNumber)), ("CHANNEL", channel),
            ("COMMIT", commit.description), ("NOTES", notes),
        ]
    }

    /// The variables as a process takes them.
    package var environment: [String: String] {
        Dictionary(uniqueKeysWithValues: variables.map { ($0.name, $0.value) })
    }
}
