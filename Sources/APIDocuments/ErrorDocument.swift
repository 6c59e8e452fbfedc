package import Problems

/// Why a command failed: `{"error": {…}}` on standard error with `--json`.
package struct ErrorDocument: Codable, Equatable, Sendable {
    package struct Failure: Codable, Equatable, Sendable {
        /// Stable across releases, such as `store.unreadable`.
        package let id: String
        package let message: String
        /// The place of the problem; may be empty.
        package let place: String
        /// What to do about it; may be empty.
        package let fix: String

        package init(_ problem: Problem) {
            id = problem.id
            message = problem.message
            place = problem.place
            fix = problem.fix
        }

        /// The failures of items in a list, sorted by place; nil if there are none.
        package static func list(_ errors: [some ReportableError]) -> [Failure]? {
            guard !errors.isEmpty else { return nil }
            return errors.sorted { $0.place < $1.place }.map { Failure($0.problem) }
        }
    }

    package let error: Failure

    package init(_ problem: Problem) {
        error = Failure(problem)
    }
}
