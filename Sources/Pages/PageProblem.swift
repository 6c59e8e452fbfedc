package import Problems
import Releases

/// A problem as a page shows it: the identifier as an attribute, the rest as sentences.
package struct PageProblem: Equatable, Sendable {
    /// The `id` of a `Problem`, in the attribute `data-problem`.
    package let id: String
    package let message: String
    /// What to do about it in a browser; nil if only the command line helps.
    package let fix: String?

    /// - Parameters:
    ///   - id: the `id` of a `Problem`.
    ///   - message: one or more sentences.
    ///   - fix: what to do about it, in sentences; nil if only the command line helps.
    package init(id: String, message: String, fix: String?) {
        self.id = id
        self.message = message
        self.fix = fix
    }

    /// Creates the problem as a tester reads it.
    ///
    /// - Parameters:
    ///   - id: the `id` of a `Problem`, whose texts are in the catalogue.
    ///   - words: the page's language.
    package init(_ id: String, in words: Words) {
        self.init(
            id: id,
            message: words.text("problem.\(id)"),
            fix: words.text("problem.\(id).fix"),
        )
    }

    package init(_ problem: Problem) {
        self.init(
            id: problem.id,
            message: Wording.sentence(problem.message),
            fix: problem.pageFix.map { Wording.sentence($0) },
        )
    }

    /// The message and the fix in one paragraph.
    package var text: String { message + (fix.map { " " + $0 } ?? "") }
}
