import Problems

/// Errors of requests that are detected before an action is performed.
extension Problem {
    static let unknownParameter = Problem(
        id: "request.unknown-parameter",
        kind: .malformed,
        message: "the query has a parameter that this address does not accept, or repeats one",
        fix: "see /public/openapi.yaml; a token belongs in the Authorization header field",
    )

    static func malformedBody(_ message: String, fix: String) -> Problem {
        Problem(
            id: "request.malformed",
            kind: .malformed,
            message: message,
            place: "body",
            fix: fix,
        )
    }

    static let notJSON = Problem(
        id: "request.not-json",
        kind: .unsupported,
        message: "the body must be JSON",
        place: "Content-Type",
        fix: "send it with Content-Type: application/json",
    )

    static let notAllowed = Problem(
        id: "token.not-allowed",
        kind: .refused,
        message: "the token does not allow this",
        fix: "use a token with the scope that /public/openapi.yaml names",
    )

    /// The same error for an app that does not exist and for one that the token may not see.
    static let unknownApp = Problem(
        id: "app.unknown",
        kind: .notFound,
        message: "there is no such app, or the token is for other apps",
        fix: "see GET /api/v1/apps",
    )
}
