import NIOCore
import NIOHTTP1
import NIOSSL

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Recognises errors that mean only that the client has gone or sent something other than HTTP.
///
/// They are not faults of the server, and the operator need not know of them.
package enum BrokenOff {
    /// Returns whether the error is one of those.
    package static func isCause(_ error: any Error) -> Bool {
        switch error {
        case is HTTPParserError, is CancellationError, is NIOAsyncWriterError: true
        case let error as NIOSSLError: isCause(error)
        case is BoringSSLError: true
        case let error as ChannelError: isCause(error)
        case let error as IOError: isCause(error)
        default: false
        }
    }

    private static func isCause(_ error: NIOSSLError) -> Bool {
        switch error {
        case .uncleanShutdown, .handshakeFailed: true
        default: false
        }
    }

    private static func isCause(_ error: ChannelError) -> Bool {
        switch error {
        case .alreadyClosed, .ioOnClosedChannel, .inputClosed, .outputClosed, .eof: true
        default: false
        }
    }

    private static func isCause(_ error: IOError) -> Bool {
        [ECONNRESET, ECONNABORTED, EPIPE, ENOTCONN, ETIMEDOUT, EHOSTUNREACH, ENETUNREACH]
            .contains(error.errnoCode)
    }
}
