import AsyncHTTPClient
import Bytes
import Essentials
import NIOCore
import NIOPosix
import NIOSSL

/// Why a request over HTTP got no answer, in the words that errors of all clients share.
package enum CallTrouble: Error, Equatable {
    /// The server cannot prove who it is, or TLS does not begin.
    case untrusted(reason: String)
    /// No connection, or one that ended before the answer.
    case unreachable(reason: String)
    /// No connection, or no answer, within so many seconds.
    case tooSlow(seconds: Int)
    /// An answer of more bytes than the caller takes.
    case answerTooLarge(limit: Int)
    /// The task that waited was cancelled.
    case interrupted

    /// Reads what async-http-client and NIO throw.
    ///
    /// - Parameters:
    ///   - error: what was thrown.
    ///   - host: the name of the server, for the sentence.
    ///   - connecting: seconds within which a connection had to be established.
    ///   - request: what was asked, with its limits.
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

    /// OpenSSL names a certificate that no authority has signed among its places in source files.
    private static func distrust(_ reason: String, of host: String) -> String {
        reason.contains("CERTIFICATE_VERIFY_FAILED")
            ? "the certificate of \(host) is not from a trusted authority"
            : "TLS with \(host) did not begin"
    }

    private static func plain(_ text: String) -> String {
        PrintableText(escaping: text, limit: 200).text
    }
}
