/// The version of a build, as variables for a pipeline's environment.
package struct VersionFacts: Hashable, Sendable {
    /// The tag's name, or `dev`.
    package let tag: String
    /// The tag's version without `v`; or `dev`.
    package let version: String
    /// Three integers, as Xcode accepts them; for `dev`, those of the newest version before it.
    package let marketingVersion: String
    /// The number of commits up to this one, which therefore increases; for `CFBundleVersion`.
    package let buildNumber: Int
    /// `stable`, the identifier of a pre-release, or `dev`.
    package let channel: String
    package let commit: CommitIdentifier
    /// The changes since the previous version, in Markdown.
    package let notes: String

    /// - Parameters:
    ///   - tag: the version tag; nil for a branch or a commit without one.
    ///   - base: the newest version before it, for a build without a tag.
    ///   - commit: the commit to build.
    ///   - count: the number of commits reachable from it, including itself.
    ///   - notes: the changes, in the form of ``VersionNotes``.
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

    /// The tag, version and channel of a build without a tag.
    package static let development = "dev"

    package var isDevelopment: Bool { tag == Self.development }

    /// The variables in display order.
    package var variables: [(name: String, value: String)] {
        [
            ("TAG", tag), ("VERSION", version), ("MARKETING_VERSION", marketingVersion),
            ("BUILD_NUMBER", String(buildNumber)), ("CHANNEL", channel),
            ("COMMIT", commit.description), ("NOTES", notes),
        ]
    }

    /// The variables as a process environment.
    package var environment: [String: String] {
        Dictionary(uniqueKeysWithValues: variables.map { ($0.name, $0.value) })
    }
}
