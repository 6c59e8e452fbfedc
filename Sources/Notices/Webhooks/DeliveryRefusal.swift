import Addresses
import AsyncHTTPClient
import Bytes
import Foundation
import NIOCore
import NIOPosix
import NIOSSL

/// Why nothing was sent, or no answer was received; recorded as the delivery's outcome.
enum DeliveryRefusal: Error, CustomStringConvertible {
    case address(InternetAddress, AddressScope)
    case noAddress
    case ambiguous

    var description: String {
        switch self {
        case .address(let address, let scope):
            "it is at \(address), which is \(scope.reason); nothing was sent"
        case .noAddress: "the name has no address"
        case .ambiguous: "the URL is ambiguous, so nothing was sent"
        }
    }

    /// Describes a library's error in a few words.
    static func reason(of error: any Error, policy: DeliveryPolicy) -> String {
        switch error {
        case let failure as NameResolutionFailure: failure.description
        case let failure as HTTPClientError: reason(of: failure, policy: policy)
        case let error as NIOSSLExtraError
        where error == .failedToValidateHostname || error == .serverHostnameImpossibleToMatch:
            "its certificate is for another name, not for the URL's host, so nothing was sent"
        case is NIOSSLError, is NIOSSLExtraError, is BoringSSLError: reason(ofTLS: "\(error)")
        case let error as IOError: reason(ofCode: error.errnoCode)
        case let error as NIOConnectionError:
            error.connectionErrors.first.map { reason(of: $0.error, policy: policy) }
                ?? "the name has no address that can be reached"
        default: NoticeWriter.plain("\(error)")
        }
    }

    /// Describes a BoringSSL error, if its name is helpful to users.
    private static func reason(ofTLS text: String) -> String {
        if text.containsBytes(of: "CERTIFICATE_VERIFY_FAILED") {
            return
                "its certificate is not from an authority that is trusted here, so nothing was sent"
        }
        if text.containsBytes(of: "WRONG_VERSION_NUMBER") {
            return "it does not speak TLS on this port; a mail server with STARTTLS takes smtp://"
        }
        return "TLS failed: \(NoticeWriter.plain(text))"
    }

    /// Describes a system error of a connection, without its number.
    private static func reason(ofCode code: CInt) -> String {
        switch code {
        case ECONNREFUSED: "connection refused"
        case ECONNRESET, EPIPE: "the connection was reset"
        case ETIMEDOUT: "the connection timed out"
        case EHOSTUNREACH: "no route to the host"
        case ENETUNREACH: "the network is unreachable"
        default: unsafe String(cString: strerror(code)).lowercased()
        }
    }

    private static func reason(of failure: HTTPClientError, policy: DeliveryPolicy) -> String {
        switch failure {
        case .connectTimeout: "no connection within \(policy.connectTimeout)"
        case .deadlineExceeded, .readTimeout: "no answer within \(policy.timeout)"
        case .tlsHandshakeTimeout: "no TLS connection within \(policy.timeout)"
        case .remoteConnectionClosed: "the connection was closed without an answer"
        default: NoticeWriter.plain("\(failure)")
        }
    }
}
