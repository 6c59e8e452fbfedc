import HTTPTypes
import Pages

/// What follows an action that somebody took on a page.
enum AdminOutcome: Sendable {
    /// On to a page, which says what was done.
    case done(String, goingTo: String)
    /// Nothing was changed: on to a page that shows what was asked for.
    case elsewhere(String)
    /// Nothing to say: the page itself shows it.
    case page(any AdminPage, HTTPResponse.Status = .ok)
}

/// Why an action changed nothing, as a person should read it.
struct AdminProblem: Error, Equatable {
    let status: HTTPResponse.Status
    let message: String
    let mend: String?

    init(
        _ status: HTTPResponse.Status,
        _ message: String,
        mend: String? = nil,
    ) {
        self.status = status
        self.message = message
        self.mend = mend
    }

    /// What was typed does not make sense.
    init(_ message: String, mend: String? = nil) {
        self.init(.unprocessableContent, message, mend: mend)
    }
}
