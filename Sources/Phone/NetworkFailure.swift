import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL

/// Why no answer, or no whole answer, came.
enum NetworkFailure: Error, Equatable {
    case hostUnknown
    case refused(String)
    case timedOut
    /// Nothing came for as long as the phone waits.
    case silent
    /// The two sides found no TLS they both speak, or the server does not speak it at all.
    case handshake(String)
    case untrusted(String)
    case notHTTP(String)
    /// The server ended the connection before the answer's end.
    case closedEarly
    case broken(String)
    /// The phone's own disk.
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

    /// `wrong version number`, out of a library's line with file names and numbers.
    private static func plain(_ text: String) -> String {
        guard let mark = text.range(of: "OPENSSL_internal:") else { return text }
        return text[mark.upperBound...].prefix { $0.isLetter || $0.isNumber || $0 == "_" }
            .lowercased().replacingOccurrences(of: "_", with: " ")
    }
}

extension IOError {
    /// `connection refused`.
    fileprivate var reason: String {
        unsafe String(cString: strerror(errnoCode)).lowercased()
    }
}
