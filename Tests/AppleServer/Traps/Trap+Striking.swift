#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

extension Trap {
    /// Kills the process with SIGKILL.
    func strike() {
        if let process, process > 1 { kill(process, SIGKILL) }
    }
}
