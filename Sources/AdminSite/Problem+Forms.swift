import HTTPServing
import HTTPTypes
import Problems
import SiteServices

extension Problem {
    /// Creates the problem of an invalid value in a form.
    ///
    /// - Parameters:
    ///   - field: the field's name.
    ///   - message: one clause.
    ///   - fix: what to enter instead.
    init(form field: String, _ message: String, fix: String = "") {
        self.init(
            id: "form.invalid",
            kind: .invalid,
            message: message,
            place: field,
            fix: fix,
        )
    }

    /// Creates a problem that the form shows again with its input; nil for a failure of the server, which
    /// has a page of its own.
    init?(ofForm error: any Error) {
        guard let error = error as? any ReportableError, !(error is Refusal) else { return nil }
        self = error.problem
        guard kind.status.code < 500 else { return nil }
    }
}
