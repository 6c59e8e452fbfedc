import NIOCore
import ServiceLifecycle

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A port that cannot be had.
package struct ListenFailure: Error, Equatable, Sendable, CustomStringConvertible {
    package let host: String
    package let port: Int
    package let reason: String

    package var description: String { "cannot listen on \(place): \(reason)" }

    /// A stable identifier for scripts.
    package var id: String { "server.port-taken" }

    /// The address and port.
    package var place: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

    /// What somebody can do about it.
    package var mend: String {
        "stop the other program, or give another --port, --plain-port or --host"
    }
}

/// A port's server, whose refusals to begin are named.
struct Listener: Service {
    let host: String
    let port: Int
    let server: any Service

    func run() async throws {
        do {
            try await server.run()
        } catch let error as IOError {
            throw ListenFailure(host: host, port: port, reason: Self.reason(of: error))
        } catch let error as SocketAddressError {
            throw ListenFailure(host: host, port: port, reason: Self.reason(of: error))
        }
    }

    private static func reason(of error: IOError) -> String {
        switch error.errnoCode {
        case EADDRINUSE: "address already in use"
        case EACCES: "this user may not use the port"
        case EADDRNOTAVAIL: "this machine does not have the address"
        default: "\(error)"
        }
    }

    private static func reason(of error: SocketAddressError) -> String {
        if case .unknown = error { return "there is no such host" }
        return "\(error)"
    }
}
