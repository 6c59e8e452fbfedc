import Dispatch
package import Problems
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Returns the addresses of a host name, in the order in which to try them.
///
/// Passed to the sender as an argument, so that it connects only to the addresses that it has checked.
package typealias NameResolver = @Sendable (_ name: String) async throws -> [InternetAddress]

/// Why a host name has no usable address.
package enum NameResolutionFailure: ReportableError, Equatable, Sendable {
    case noAddress(String)
    case tookTooLong

    package var description: String {
        switch self {
        case .noAddress(let reason): "the name has no address: \(reason)"
        case .tookTooLong: "no name server answered in time"
        }
    }
}

extension NameResolutionFailure {
    package var id: String {
        switch self {
        case .noAddress: "name.no-address"
        case .tookTooLong: "name.too-slow"
        }
    }

    package var kind: Problem.Kind { .unavailable }
    package var fix: String { "check the name, and the name servers of this machine" }
}

/// Resolves names with the system's resolver.
package enum NameResolution {
    /// The maximum number of addresses of one name that are returned.
    private static let mostAddresses = 16

    /// Gives up after `limit` seconds; the result of a later answer is dropped.
    package static func system(limit: Double = 5) -> NameResolver {
        { name in
            try await withCheckedThrowingContinuation { continuation in
                let waiting = Waiting(continuation)
                DispatchQueue.global().async {
                    waiting.resume(with: Result { try lookUp(name) })
                }
                DispatchQueue.global().asyncAfter(deadline: .now() + limit) {
                    waiting.resume(with: .failure(NameResolutionFailure.tookTooLong))
                }
            }
        }
    }

    /// A caller that resumes with the first of two results: the addresses or the timeout.
    private final class Waiting: Sendable {
        private let continuation: Mutex<CheckedContinuation<[InternetAddress], any Error>?>

        init(_ continuation: CheckedContinuation<[InternetAddress], any Error>) {
            self.continuation = Mutex(continuation)
        }

        func resume(with result: Result<[InternetAddress], any Error>) {
            let continuation = continuation.withLock { waiting in
                defer { waiting = nil }
                return waiting
            }
            continuation?.resume(with: result)
        }
    }

    private static func lookUp(_ name: String) throws -> [InternetAddress] {
        var hints = unsafe addrinfo()
        unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        unsafe hints.ai_flags = AI_ADDRCONFIG
        var list: UnsafeMutablePointer<addrinfo>?
        let status = unsafe getaddrinfo(name, nil, &hints, &list)
        guard status == 0 else {
            let reason = unsafe String(cString: gai_strerror(status))
            throw NameResolutionFailure.noAddress(reason.lowercased())
        }
        defer { unsafe freeaddrinfo(list) }
        var found: [InternetAddress] = []
        var next = unsafe list
        while let entry = unsafe next, found.count < mostAddresses {
            if let address = unsafe address(of: entry.pointee), !found.contains(address) {
                found.append(address)
            }
            unsafe next = entry.pointee.ai_next
        }
        return found
    }

    private static func address(of entry: addrinfo) -> InternetAddress? {
        guard let socket = unsafe entry.ai_addr else { return nil }
        let raw = UnsafeRawPointer(socket)
        switch unsafe entry.ai_family {
        case AF_INET:
            let value = unsafe raw.loadUnaligned(as: sockaddr_in.self).sin_addr
            return unsafe .v4(withUnsafeBytes(of: value) { unsafe Array($0) })
        case AF_INET6:
            let value = unsafe raw.loadUnaligned(as: sockaddr_in6.self).sin6_addr
            return unsafe .v6(withUnsafeBytes(of: value) { unsafe Array($0) })
        default:
            return nil
        }
    }
}
