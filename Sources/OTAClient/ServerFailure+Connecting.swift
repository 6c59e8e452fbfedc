import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import Releases

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

extension ServerFailure {
    /// Translates an error of the connection or of TLS.
    init(_ error: any Error, from url: BaseURL) {
        self =
            switch error {
            case let failure as ServerFailure: failure
            case is SilenceIsFailure.Silence: .tooSlow(url)
            case ChannelError.connectTimeout: .unreachable(url, reason: "it does not answer")
            case let error as NIOConnectionError: .unreachable(url, reason: Self.reason(error))
            case NIOSSLError.uncleanShutdown: .cut(url)
            // The handshake ended before the server's identity was verified.
            case NIOSSLError.handshakeFailed(.sslError([.eofDuringHandshake])): .cut(url)
            case let error as NIOSSLError: .untrusted(url, reason: Self.reason(error))
            case let error as NIOSSLExtraError
            where error == .failedToValidateHostname || error == .serverHostnameImpossibleToMatch:
                .misnamed(url, names: [])
            case let error as NIOSSLExtraError: .untrusted(url, reason: Self.reason("\(error)"))
            case let error as BoringSSLError:
                .untrusted(url, reason: Self.reason("\(error)"))
            case let error as IOError where [ECONNRESET, EPIPE].contains(error.errnoCode):
                .cut(url)
            case let error as IOError:
                .unreachable(url, reason: Self.reason("\(error)"))
            case ChannelError.eof, ChannelError.inputClosed, ChannelError.ioOnClosedChannel,
                is HTTPParserError:
                .cut(url)
            default: .unreachable(url, reason: "\(type(of: error))")
            }
    }

    private static func reason(_ error: NIOConnectionError) -> String {
        if error.dnsAError != nil, error.dnsAAAAError != nil, error.connectionErrors.isEmpty {
            return "no such host"
        }
        return error.connectionErrors.first.map { reason("\($0.error)") } ?? "no such host"
    }

    private static func reason(_ error: NIOSSLError) -> String {
        switch error {
        case .handshakeFailed(let inner): reason("\(inner)")
        default: reason("\(error)")
        }
    }

    /// Shortens an error's description: libraries wrap the relevant part in their own names.
    private static func reason(_ text: String) -> String {
        switch text {
        case let text where text.contains("CERTIFICATE_VERIFY_FAILED"):
            "its certificate was not issued by a trusted authority"
        case let text where text.contains("refused"): "the connection was refused"
        case let text where text.contains("reset by peer"): "the connection was reset"
        case let text where text.contains("roken pipe"): "the connection was interrupted"
        case let text where text.contains("WRONG_VERSION_NUMBER"): "it does not speak TLS"
        case let text where text.contains("unreachable"): "it is unreachable"
        case let text where text.contains("imed out"): "it does not answer"
        default: String(text.prefix(200))
        }
    }
}
