package import HTTPTypes
package import Problems

extension Problem.Kind {
    /// The HTTP status for this kind of problem; the only such mapping.
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

    /// Seconds after which the same request may succeed (RFC 9110 10.2.3); nil if waiting does not help,
    /// or if only the error itself knows how long.
    package var retryAfter: Int? {
        switch self {
        case .busy: 5
        case .unavailable, .outOfRoom: 30
        default: nil
        }
    }
}
