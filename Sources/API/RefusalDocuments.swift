import APIDocuments
import Administration
package import HTTPServing
import HTTPTypes
package import Hummingbird
import NIOCore
import NIOHTTP1
package import SiteServices

extension Refusal {
    /// The same as JSON, for programs.
    ///
    /// - Returns: nil where it cannot be written.
    package func apiResponse() -> Response? {
        try? APIAnswer.json(document, status: status).response()
    }

    private var document: ErrorDocument {
        ErrorDocument(
            ErrorDocument.Failure(id: id, message: sentence, place: "", fix: fix)
        )
    }

    private var id: String {
        switch self {
        case .notSignedIn: "token.none"
        case .tooManyGuesses: "token.too-many-guesses"
        case .notAllowed: "token.not-allowed"
        case .methodNotAllowed: "request.method-not-allowed"
        case .malformed: "request.malformed"
        case .tooLarge: "request.too-large"
        case .cut: "request.cut"
        case .overloaded: "server.overloaded"
        case .noRoom: "server.no-room"
        case .unavailable: "server.unavailable"
        default: "request.not-found"
        }
    }

    private var sentence: String {
        switch self {
        case .notSignedIn: "no valid token was sent"
        case .tooManyGuesses: "too many wrong tokens were sent from this address"
        case .notAllowed: "the token does not allow this"
        case .methodNotAllowed: "this address does not support this method"
        case .malformed(let what): what
        case .tooLarge(let limit):
            "the body is larger than the \(limit) bytes that this address accepts"
        case .cut: "the connection ended before the whole request arrived"
        case .overloaded: "the server is receiving too much data at the moment"
        case .noRoom: "the server's disk is full, so nothing was changed"
        case .unavailable: "the server cannot answer at the moment"
        default: "there is nothing at this address"
        }
    }

    private var fix: String {
        switch self {
        case .notSignedIn:
            "send Authorization: Bearer ota_…; create a token with `ota tokens create`"
        case .tooManyGuesses(let wait): "wait \(wait) seconds"
        case .notAllowed:
            "use a token with a wider scope; an admin creates one with `ota tokens create`"
        case .cut: "send it again"
        case .overloaded: "try again in a few seconds"
        case .noRoom(let fix): fix
        case .unavailable: "try again in a minute; the server's log says why"
        case .tooLarge: "send less; /public/openapi.yaml gives the limit of each value"
        default: "see /public/openapi.yaml"
        }
    }
}

extension CachedResponse {
    /// What the API says of a request that no route saw.
    package init?(apiRefusal reason: RefusedRequest) {
        let failure = ErrorDocument.Failure(
            id: reason.id,
            message: reason.description,
            fix: reason.fix,
        )
        guard let answer = try? APIAnswer.json(ErrorDocument(failure)) else { return nil }
        self.init(
            route: "refused",
            status: .init(code: Int(reason.status.code)),
            fields: ResponseFields.of(type: answer.type, cache: "no-store"),
            body: ByteBuffer(bytes: answer.body),
        )
    }
}

extension RefusedRequest {
    fileprivate var id: String {
        switch self {
        case .targetTooLong: "request.address-too-long"
        case .headTooLarge, .tooManyFields: "request.fields-too-large"
        default: "request.refused"
        }
    }

    fileprivate var fix: String {
        switch self {
        case .targetTooLong: "send long values in the body"
        case .headTooLarge, .tooManyFields: "send fewer and shorter fields"
        default: "see /public/openapi.yaml"
        }
    }
}
