import APIDocuments
import Administration
import HTTPTypes

/// Why the API does not do what was asked, where nothing below it has a word for that.
struct APIRefusal: Error, Equatable {
    let status: HTTPResponse.Status
    let failure: ErrorDocument.Failure

    static func badParameter(_ name: String, fix: String) -> APIRefusal {
        APIRefusal(
            status: .badRequest,
            failure: .init(
                id: "request.bad-parameter",
                message: "the parameter \(name) is not valid",
                place: name,
                fix: fix,
            ),
        )
    }

    static let unknownParameter = APIRefusal(
        status: .badRequest,
        failure: .init(
            id: "request.unknown-parameter",
            message: "the query has a parameter that this address does not accept, or repeats one",
            fix: "see /public/openapi.yaml; a token belongs in the Authorization header field",
        ),
    )

    static func malformedBody(_ message: String, fix: String) -> APIRefusal {
        APIRefusal(
            status: .badRequest,
            failure: .init(
                id: "request.malformed",
                message: message,
                place: "body",
                fix: fix,
            ),
        )
    }

    static let notJSON = APIRefusal(
        status: .unsupportedMediaType,
        failure: .init(
            id: "request.not-json",
            message: "the body must be JSON",
            place: "Content-Type",
            fix: "send it with Content-Type: application/json",
        ),
    )

    static let notAllowed = APIRefusal(
        status: .forbidden,
        failure: .init(
            id: "token.not-allowed",
            message: "the token does not allow this",
            fix: "use a token with the scope that /public/openapi.yaml names",
        ),
    )

    static let unknownApp = APIRefusal(
        status: .notFound,
        failure: .init(
            id: "app.unknown",
            message: "there is no such app, or the token is for other apps",
            fix: "see GET /api/v1/apps",
        ),
    )
}
