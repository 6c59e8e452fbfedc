import HTTPServing
import HTTPTypes
import Problems
import SiteServices

extension Problem {
    /// A value in a form that is not allowed.
    ///
    /// - Parameters:
    ///   - field: the field of the form.
    ///   - message: one clause.
    ///   - fix: what to do instead.
    init(form field: String, _ message: String, fix: String = "") {
        self.init(
            id: "form.invalid",
            kind: .invalid,
            message: message,
            place: field,
            fix: fix,
        )
    }

    /// What the form says again that was sent; nil for what is the matter with the server, which a
    /// page of its own says.
    init?(ofForm error: any Error) {
        guard let error = error as? any ReportableError, !(error is Refusal) else { return nil }
        self = error.problem
        guard kind.status.code < 500 else { return nil }
    }
}
