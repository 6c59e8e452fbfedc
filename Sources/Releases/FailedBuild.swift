package import Identifiers

/// A failed build of a mirror, as the activity records it.
package struct FailedBuild: Codable, Sendable, Hashable {
    package let mirror: Slug
    package let number: Int
    /// What was built: a tag, a branch or a commit.
    package let subject: String
    /// Why, in a clause.
    package let reason: String
    /// The first issues in the build's log.
    package let issues: [BuildIssue]

    /// The most issues that the activity keeps; the build's own record has more.
    package static let mostIssues = 5

    /// `issues` are those of the build's record, in its order.
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
