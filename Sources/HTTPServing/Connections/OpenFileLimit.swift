#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// How many files and connections a process may have open at once.
///
/// A process must stay below it: where no descriptor is left, no file of the store opens, and the
/// system's own thread pool ends the process (libdispatch, which reads `/proc` to count its threads).
package enum OpenFileLimit {
    /// Enough for both ports at their limits, each connection with a file.
    private static let enough = 65_536

    #if canImport(Glibc)
    private static let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
    private static let resource = RLIMIT_NOFILE
    #endif

    /// Raises the limit of this process as far as it is useful and the system allows it.
    ///
    /// - Returns: the limit from now on.
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
    /// As many connections as the process can have beside its own files.
    ///
    /// - Parameters:
    ///   - openFiles: how many files and connections it may have open.
    ///   - ports: how many ports it listens on.
    /// - Returns: these limits, with fewer connections where the process cannot have more.
    package func fitting(openFiles: Int, ports: Int) -> ServerLimits {
        var limits = self
        // Each connection may have a file open; the store, builds and threads have theirs.
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
