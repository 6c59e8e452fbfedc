package import Inspection
package import Problems

/// An error response according to RFC 9457, with the extension members `id`, `kind`, `place`, `fix`, and
/// the `findings` of a build.
package struct ProblemDocument: Codable, Equatable, Sendable {
    /// The media type of RFC 9457.
    package static let mediaType = "application/problem+json"

    /// Always `about:blank`; `id` identifies the problem.
    package let type: String
    /// The reason phrase of the status code.
    package let title: String
    /// The HTTP status code of the response.
    package let status: Int
    /// One clause in lower case.
    package let detail: String
    /// Stable across releases, such as `store.unreadable`.
    package let id: String
    /// The raw value of a ``Problem/Kind``; a newer server may send values that this version does not know.
    package let kind: String
    /// The place of the problem; may be empty.
    package let place: String
    /// What to do about it; may be empty.
    package let fix: String
    /// The findings of a rejected build.
    package let findings: [FindingDocument]?

    /// - Parameters:
    ///   - problem: the problem.
    ///   - status: the HTTP status code of the response.
    ///   - title: the reason phrase of that status code.
    ///   - findings: the findings of a rejected build.
    package init(
        _ problem: Problem,
        status: Int,
        title: String,
        findings: [FindingDocument]? = nil,
    ) {
        type = "about:blank"
        self.title = title
        self.status = status
        detail = problem.message
        id = problem.id
        kind = problem.kind.rawValue
        place = problem.place
        fix = problem.fix
        self.findings = findings
    }

    /// The described problem, for clients.
    package var problem: Problem {
        Problem(
            id: id,
            kind: Problem.Kind(rawValue: kind) ?? .failed,
            message: detail,
            place: place,
            fix: fix,
        )
    }
}
