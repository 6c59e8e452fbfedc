package import HTTPTypes
package import Problems

extension Problem.Kind {
    /// The status of HTTP that says it; the only table of them.
    package var status: HTTPResponse.Status {
        switch self {
        case .malformed: .badRequest
        case .unauthorised: .unauthorized
        case .refused: .forbidden
        case .notFound: .notFound
        case .conflict: .conflict
        case .gone: .gone
        case .changedMeanwhile: .preconditionFailed
        case .tooLarge: .contentTooLarge
        case .unsupported: .unsupportedMediaType
        case .invalid: .unprocessableContent
        case .tooMany: .tooManyRequests
        case .busy, .unavailable: .serviceUnavailable
        case .outOfRoom: .init(code: 507, reasonPhrase: "Insufficient Storage")
        case .failed: .internalServerError
        }
    }

    /// Seconds after which the same may succeed (RFC 9110 10.2.3); nil where waiting does not help,
    /// or where only the error knows for how long.
    package var retryAfter: Int? {
        switch self {
        case .busy: 5
        case .unavailable, .outOfRoom: 30
        default: nil
        }
    }
}
