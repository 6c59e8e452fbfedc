package import Problems

/// Why a command stopped: `{"error": {…}}` on standard error with `--json`.
package struct ErrorDocument: Codable, Equatable, Sendable {
    package struct Failure: Codable, Equatable, Sendable {
        /// Stable across releases, such as `store.unreadable`.
        package let id: String
        package let message: String
        /// What it is about; empty where there is nothing to name.
        package let place: String
        /// What to do about it; may be empty.
        package let fix: String

        package init(_ problem: Problem) {
            id = problem.id
            message = problem.message
            place = problem.place
            fix = problem.fix
        }

        /// What of a list is damaged or missing, by place; nil where nothing is.
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
