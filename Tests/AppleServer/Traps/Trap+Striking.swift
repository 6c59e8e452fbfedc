#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

extension Trap {
    /// Kills the process, which has no time for anything any more.
    func strike() {
        if let process, process > 1 { kill(process, SIGKILL) }
    }
}
