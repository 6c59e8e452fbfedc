import AsyncHTTPClient
import Bytes
import Essentials
import NIOCore
import NIOPosix
import NIOSSL

/// The reason why an HTTP request got no response, in wording that all clients' errors share.
package enum CallTrouble: Error, Equatable {
    /// The server's certificate is not trusted, or the TLS handshake failed.
    case untrusted(reason: String)
    /// There was no connection, or it was closed before the response.
    case unreachable(reason: String)
    /// There was no connection, or no response, within this many seconds.
    case tooSlow(seconds: Int)
    /// The response has more bytes than the caller accepts.
    case answerTooLarge(limit: Int)
    /// The waiting task was cancelled, or the request's body could not be read.
    case interrupted

    /// Translates the errors of async-http-client and NIO.
    ///
    /// - Parameters:
    ///   - error: the error.
    ///   - host: the server's name, for the message.
    ///   - connecting: seconds within which a connection had to be established.
    ///   - request: the request, with its limits.
    init(_ error: any Error, from host: String, connecting: Int, request: CallRequest) {
        self =
            switch error {
            case is NIOTooManyBytesError, is ResponseAccumulator.ResponseTooBigError:
                .answerTooLarge(limit: request.longestAnswer)
            case is CancellationError: .interrupted
            case let error as HTTPClientError:
                Self.ofClient(error, connecting: connecting, answering: request.seconds)
            case let error as NIOSSLExtraError
            where error == .failedToValidateHostname || error == .serverHostnameImpossibleToMatch:
                .untrusted(reason: "the certificate of \(host) is for another name")
            case NIOSSLError.handshakeFailed(let reason):
                .untrusted(reason: Self.distrust("\(reason)", of: host))
            case let error as IOError:
                .unreachable(
                    reason: unsafe String(cString: strerror(error.errnoCode)).lowercased()
                )
            case let error as NIOConnectionError:
                error.connectionErrors.first.map {
                    CallTrouble($0.error, from: host, connecting: connecting, request: request)
                } ?? .unreachable(reason: "the host name has no address")
            default: .unreachable(reason: Self.plain("\(error)"))
            }
    }

    private static func ofClient(
        _ error: HTTPClientError,
        connecting: Int,
        answering: Int,
    ) -> CallTrouble {
        switch error {
        case .cancelled: .interrupted
        case .connectTimeout, .tlsHandshakeTimeout: .tooSlow(seconds: connecting)
        case .deadlineExceeded, .readTimeout: .tooSlow(seconds: answering)
        case .remoteConnectionClosed:
            .unreachable(reason: "the connection was closed without an answer")
        default: .unreachable(reason: plain("\(error)"))
        }
    }

    /// OpenSSL reports an untrusted certificate amid its source file names and line numbers.
    private static func distrust(_ reason: String, of host: String) -> String {
        reason.contains("CERTIFICATE_VERIFY_FAILED")
            ? "the certificate of \(host) is not from a trusted authority"
            : "TLS with \(host) did not begin"
    }

    private static func plain(_ text: String) -> String {
        PrintableText(escaping: text, limit: 200).text
    }
}
