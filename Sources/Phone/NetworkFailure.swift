import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL

/// Why there was no response, or only a part of one.
enum NetworkFailure: Error, Equatable {
    case hostUnknown
    case refused(String)
    case timedOut
    /// No data arrived within the phone's idle timeout.
    case silent
    /// There is no common version of TLS, or the server does not support TLS.
    case handshake(String)
    case untrusted(String)
    case notHTTP(String)
    /// The server closed the connection before the end of the response.
    case closedEarly
    case broken(String)
    /// A failure of the phone's own disk.
    case disk(String)

    init(_ error: any Error) {
        switch error {
        case let failure as NetworkFailure: self = failure
        case let failure as NIOConnectionError: self = Self.connecting(failure)
        case ChannelError.connectTimeout: self = .timedOut
        case is NIOSSLExtraError: self = .untrusted("\(error)")
        case let failure as NIOSSLError: self = Self.securing(failure)
        case HTTPParserError.invalidEOFState: self = .closedEarly
        case is HTTPParserError: self = .notHTTP("\(error)")
        case ChannelError.eof, ChannelError.ioOnClosedChannel, ChannelError.alreadyClosed:
            self = .closedEarly
        case let failure as IOError: self = .broken(failure.reason)
        default: self = .broken("\(error)")
        }
    }

    private static func connecting(_ failure: NIOConnectionError) -> NetworkFailure {
        let attempts = failure.connectionErrors.map(\.error)
        guard let first = attempts.first else { return .hostUnknown }
        if case ChannelError.connectTimeout = first { return .timedOut }
        return .refused((first as? IOError)?.reason ?? "\(first)")
    }

    private static func securing(_ failure: NIOSSLError) -> NetworkFailure {
        switch failure {
        case .handshakeFailed(let reason):
            let text = plain("\(reason)")
            return text == "certificate verify failed" ? .untrusted(text) : .handshake(text)
        case .uncleanShutdown: return .closedEarly
        case .unableToValidateCertificate, .cannotFindPeerIP: return .untrusted("\(failure)")
        default: return .handshake("\(failure)")
        }
    }

    /// Extracts `wrong version number` from a library's message with file names and numbers.
    private static func plain(_ text: String) -> String {
        guard let mark = text.range(of: "OPENSSL_internal:") else { return text }
        return text[mark.upperBound...].prefix { $0.isLetter || $0.isNumber || $0 == "_" }
            .lowercased().replacingOccurrences(of: "_", with: " ")
    }
}

extension IOError {
    /// The reason in words, such as `connection refused`.
    fileprivate var reason: String {
        unsafe String(cString: strerror(errnoCode)).lowercased()
    }
}
