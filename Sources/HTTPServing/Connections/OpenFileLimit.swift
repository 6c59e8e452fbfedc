#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The limit on the files and connections that a process may have open at once (`RLIMIT_NOFILE`).
///
/// A process must stay below it: without a free descriptor, no file of the store can be opened, and
/// libdispatch, which reads `/proc` to count its threads, aborts the process.
package enum OpenFileLimit {
    /// Enough for both ports at their limits, with one file open for each connection.
    private static let enough = 65_536

    #if canImport(Glibc)
    private static let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
    private static let resource = RLIMIT_NOFILE
    #endif

    /// Raises the limit of this process as far as is useful and the system permits.
    ///
    /// - Returns: the limit now in effect.
    package static func raise() -> Int {
        var limit = rlimit()
        guard unsafe getrlimit(resource, &limit) == 0 else { return 1024 }
        var more = limit
        more.rlim_cur = max(limit.rlim_cur, min(limit.rlim_max, rlim_t(enough)))
        if unsafe setrlimit(resource, &more) == 0 { limit = more }
        return Int(clamping: limit.rlim_cur)
    }
}

extension ServerLimits {
    /// Lowers the limits to the number of connections that the process can have besides its own files.
    ///
    /// - Parameters:
    ///   - openFiles: how many files and connections the process may have open.
    ///   - ports: how many ports it listens on.
    /// - Returns: these limits, with fewer connections if the process cannot have that many.
    package func fitting(openFiles: Int, ports: Int) -> ServerLimits {
        var limits = self
        // Each connection may have a file open; the store, builds and threads need descriptors as well.
        let own = min(512, openFiles / 4)
        limits.connections = min(connections, max(1, (openFiles - own) / (2 * ports)))
        if limits.connections < connections {
            limits.connectionsOfOneNetwork = min(
                connectionsOfOneNetwork,
                max(1, limits.connections / 4),
            )
        }
        return limits
    }
}
