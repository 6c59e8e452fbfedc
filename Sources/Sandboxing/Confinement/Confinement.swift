import CLinux
import Essentials
package import Problems

/// What this process can deny itself for good before it takes a secret.
package enum Confinement {
    /// Denies this process all sockets and the start of other programs from now on, and denies others a
    /// look into its memory.
    ///
    /// On Linux a filter of system calls (seccomp) makes them fail with EPERM, in every thread and in
    /// whatever the process could still start; it cannot be taken off. Nothing is written when the
    /// process crashes, and other processes of the same user cannot read its memory. What is open
    /// already stays open, so pipes work and sockets that were there before can still be read and
    /// written with `read` and `write`.
    ///
    /// macOS has no such filter that a program may set for itself; there this does nothing.
    ///
    /// - Throws: ``ConfinementFailure`` where the system does not do it; nothing is safe then.
    package static func denyNetworkAndPrograms() throws(ConfinementFailure) {
        #if os(Linux)
        for code in [ota_deny_memory_to_others(), ota_deny_network_and_programs()] where code != 0 {
            throw ConfinementFailure(code: code)
        }
        #endif
    }
}

/// The system refused to confine the process.
package struct ConfinementFailure: ReportableError, Hashable {
    /// The value of `errno`.
    package let code: Int32

    package init(code: Int32) {
        self.code = code
    }

    package var description: String {
        let reason = unsafe String(cString: strerror(code)).lowercased()
        return "the signing process cannot be cut off from the network: \(reason)"
    }
}

extension ConfinementFailure {
    package var id: String { "confinement.refused" }
    package var kind: Problem.Kind { .unavailable }

    package var fix: String {
        "run ota on Linux 4.14 or later on x86_64 or aarch64, and allow seccomp in the container"
    }
}
