/// An error that can reach a person, and says beside its declaration which problem it is.
///
/// Its `description` is the message. Command line, API and pages show errors through ``problem``
/// alone; no face has words of its own for an error.
package protocol ReportableError: Error, CustomStringConvertible {
    /// As in ``Problem/id``.
    var id: String { get }
    var kind: Problem.Kind { get }
    /// As in ``Problem/place``; empty unless declared.
    var place: String { get }
    /// As in ``Problem/fix``; empty unless declared.
    var fix: String { get }
    /// What to do about it in a browser; nil, unless declared, for the ``fix``, if it names no command;
    /// empty where nothing helps there.
    var pageFix: String? { get }
    /// What every face says of it.
    var problem: Problem { get }
}

extension ReportableError {
    package var place: String { "" }
    package var fix: String { "" }
    package var pageFix: String? { nil }

    package var problem: Problem {
        Problem(
            id: id,
            kind: kind,
            message: description,
            place: place,
            fix: fix,
            pageFix: pageFix,
        )
    }
}
