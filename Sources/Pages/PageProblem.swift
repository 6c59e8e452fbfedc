package import Problems
import Releases

/// A problem as a page shows it: the identifier as an attribute, the rest as sentences.
package struct PageProblem: Equatable, Sendable {
    /// As in `Problem`; the attribute `data-problem`.
    package let id: String
    package let message: String
    /// What to do about it in a browser; nil where only a command line helps.
    package let fix: String?

    /// - Parameters:
    ///   - id: as in `Problem`.
    ///   - message: one or more sentences.
    ///   - fix: the same about what to do.
    package init(id: String, message: String, fix: String?) {
        self.id = id
        self.message = message
        self.fix = fix
    }

    /// The problem as a tester reads it.
    ///
    /// - Parameters:
    ///   - id: as in `Problem`; the catalogue has its sentences.
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

    /// All of it in one paragraph.
    package var text: String { message + (fix.map { " " + $0 } ?? "") }
}
