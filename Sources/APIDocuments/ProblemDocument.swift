package import Inspection
package import Problems

/// Why the server did not do what a request asked for, as RFC 9457 writes it, with members of our
/// own: `id`, `kind`, `place`, `fix`, and `findings` of a build.
package struct ProblemDocument: Codable, Equatable, Sendable {
    /// The media type of RFC 9457.
    package static let mediaType = "application/problem+json"

    /// `about:blank`: which problem it is says `id`.
    package let type: String
    /// The reason phrase of the status.
    package let title: String
    /// The status of HTTP of the response that carries it.
    package let status: Int
    /// One lower-case clause.
    package let detail: String
    /// Stable across releases, such as `store.unreadable`.
    package let id: String
    /// The raw value of a ``Problem/Kind``; a later server may have more of them.
    package let kind: String
    /// What it is about; empty where there is nothing to name.
    package let place: String
    /// What to do about it; may be empty.
    package let fix: String
    /// The findings of a build that was refused.
    package let findings: [FindingDocument]?

    /// - Parameters:
    ///   - problem: what it says.
    ///   - status: the status of the response.
    ///   - title: the words of that status.
    ///   - findings: the findings of a build that was refused.
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

    /// The problem that it describes, for the receiver.
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
