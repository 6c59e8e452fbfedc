import NIOCore
package import Problems
package import ServiceLifecycle

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Why the server cannot listen on an address and port.
package struct ListenFailure: ReportableError, Equatable, Sendable {
    package let host: String
    package let port: Int
    package let cause: Cause
    /// The action that an admin can take.
    package let fix: String

    package enum Cause: Equatable, Sendable {
        case taken
        case notPermitted
        case foreignAddress
        case unknownHost
        case other(String)
    }

    package var description: String {
        let reason =
            switch cause {
            case .taken: "address already in use"
            case .notPermitted: "this user is not allowed to open the port"
            case .foreignAddress: "this machine does not have the address"
            case .unknownHost: "there is no such host"
            case .other(let reason): reason
            }
        return "cannot listen on \(place): \(reason)"
    }

    package var kind: Problem.Kind { .unavailable }

    /// A stable identifier for scripts.
    package var id: String {
        switch cause {
        case .taken, .notPermitted, .other: "server.port-taken"
        case .foreignAddress, .unknownHost: "server.unknown-host"
        }
    }

    /// The address and port.
    package var place: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}

/// A service that runs a port's server and turns errors of binding the port into ``ListenFailure``.
package struct Listener: Service {
    private let host: String
    private let port: Int
    private let server: any Service
    private let executor: LoopExecutor
    private let fix: @Sendable (ListenFailure.Cause) -> String

    /// - Parameters:
    ///   - host: the address to listen on.
    ///   - port: the port to listen on.
    ///   - server: the server that listens there.
    ///   - executor: the executor on whose thread the connections' tasks start.
    ///   - fix: returns the action that an admin can take for a cause of failure.
    package init(
        host: String,
        port: Int,
        server: any Service,
        on executor: LoopExecutor,
        fix: @escaping @Sendable (ListenFailure.Cause) -> String,
    ) {
        self.host = host
        self.port = port
        self.server = server
        self.executor = executor
        self.fix = fix
    }

    package func run() async throws {
        do {
            try await withTaskExecutorPreference(executor) { try await server.run() }
        } catch let error as IOError {
            throw failure(.init(error))
        } catch is SocketAddressError.UnknownHost {
            throw failure(.unknownHost)
        } catch let error as SocketAddressError {
            throw failure(.other("\(error)"))
        }
    }

    private func failure(_ cause: ListenFailure.Cause) -> ListenFailure {
        ListenFailure(host: host, port: port, cause: cause, fix: fix(cause))
    }
}

extension ListenFailure.Cause {
    fileprivate init(_ error: IOError) {
        self =
            switch error.errnoCode {
            case EADDRINUSE: .taken
            case EACCES: .notPermitted
            case EADDRNOTAVAIL: .foreignAddress
            default: .other("\(error)")
            }
    }
}
