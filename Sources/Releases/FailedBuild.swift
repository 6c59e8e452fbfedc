package import Identifiers

/// A failed build of a mirror, as recorded in the activity.
package struct FailedBuild: Codable, Sendable, Hashable {
    package let mirror: Slug
    package let number: Int
    /// What was built: a tag, a branch or a commit.
    package let subject: String
    /// The reason, as one clause.
    package let reason: String
    /// The first issues in the build's log.
    package let issues: [BuildIssue]

    /// The most issues recorded in the activity; the build's own record has more.
    package static let mostIssues = 5

    /// `issues` are all issues of the build, in order; only the first ``mostIssues`` are kept.
    package init(
        _ number: Int,
        of mirror: Slug,
        subject: String,
        reason: String,
        issues: [BuildIssue],
    ) {
        self.number = number
        self.mirror = mirror
        self.subject = subject
        self.reason = reason
        self.issues = Array(issues.prefix(Self.mostIssues))
    }
}
