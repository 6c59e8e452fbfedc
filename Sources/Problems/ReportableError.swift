/// An error that may be shown to people, whose declaration includes the text.
///
/// Its `description` is the message. Command line, API and pages show errors only through ``problem``,
/// and have no text for errors of their own.
package protocol ReportableError: Error, CustomStringConvertible {
    /// As in ``Problem/id``.
    var id: String { get }
    var kind: Problem.Kind { get }
    /// As in ``Problem/place``; empty unless declared.
    var place: String { get }
    /// As in ``Problem/fix``; empty unless declared.
    var fix: String { get }
    /// How to fix it in a browser; empty if nothing helps there. Nil, the default, for ``fix`` unless
    /// that names a command.
    var pageFix: String? { get }
    /// The problem to show.
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
