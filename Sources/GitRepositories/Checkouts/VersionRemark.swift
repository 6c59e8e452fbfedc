import Bytes
package import Versions

/// A remark about a valid version.
package enum VersionRemark: Hashable, Sendable {
    /// The clone is shallow.
    case shallow
    /// Files differ from the commit, so the build does not match it.
    case changedFiles([String])
    /// The named tag is on another commit.
    case tagElsewhere(TagName, CommitIdentifier)
    /// The named tag is not in the repository.
    case noSuchTag(TagName)
    /// The commit has tags, but none names a version.
    case noVersions([String])
}

extension VersionRemark: CustomStringConvertible {
    package var description: String {
        switch self {
        case .shallow:
            "the clone is shallow: the build number counts only the commits in it"
        case .changedFiles(let files):
            "files differ from the commit: \(quoted: files)"
        case .tagElsewhere(let tag, let commit):
            "the tag \(tag) is on commit \(commit.short), not on the commit that is checked out"
        case .noSuchTag(let tag):
            "there is no tag \(tag) here: the version is the one that you gave, without a tag"
        case .noVersions(let names): "the tag \(quoted: names) names no version"
        }
    }
}
