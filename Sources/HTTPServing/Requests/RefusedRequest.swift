package import NIOHTTP1
package import Problems

/// The reason why a request is refused before a route handles it; the connection then closes.
package enum RefusedRequest: ReportableError, Equatable, Sendable {
    /// Not exactly one unambiguous request under RFC 9112.
    case malformed(String)
    case targetTooLong
    case headTooLarge
    case tooManyFields
    case bodyTooLarge
    case versionNotSupported
    case methodNotImplemented
    /// The head or the body did not arrive in time.
    case timedOut
    /// The request is for a host that this server does not serve.
    case misdirected

    package var status: HTTPResponseStatus {
        switch self {
        case .malformed: .badRequest
        case .targetTooLong: .uriTooLong
        case .headTooLarge, .tooManyFields: .requestHeaderFieldsTooLarge
        case .bodyTooLarge: .payloadTooLarge
        case .versionNotSupported: .httpVersionNotSupported
        case .methodNotImplemented: .notImplemented
        case .timedOut: .requestTimeout
        case .misdirected: .misdirectedRequest
        }
    }

    package var description: String {
        switch self {
        case .malformed(let what): "the request is malformed: \(what)"
        case .targetTooLong: "the address is too long"
        case .headTooLarge: "the request's header fields are too large"
        case .tooManyFields: "the request has too many header fields"
        case .bodyTooLarge: "the request's body is too large"
        case .versionNotSupported: "this server speaks only HTTP/1.1"
        case .methodNotImplemented: "the server does not know the request's method"
        case .timedOut: "the request did not arrive in time"
        case .misdirected: "this server does not answer for that host"
        }
    }
}

extension RefusedRequest {
    package var id: String {
        switch self {
        case .targetTooLong: "request.address-too-long"
        case .headTooLarge, .tooManyFields: "request.fields-too-large"
        default: "request.refused"
        }
    }

    /// The closest kind; each case has an HTTP ``status`` of its own.
    package var kind: Problem.Kind {
        switch self {
        case .malformed, .timedOut, .misdirected: .malformed
        case .targetTooLong, .headTooLarge, .tooManyFields, .bodyTooLarge: .tooLarge
        case .versionNotSupported, .methodNotImplemented: .unsupported
        }
    }

    package var fix: String {
        switch self {
        case .targetTooLong: "send long values in the body"
        case .headTooLarge, .tooManyFields: "send fewer and shorter fields"
        default: "see /public/openapi.yaml"
        }
    }
}
