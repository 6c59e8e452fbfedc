import CLinux
import Essentials
package import Problems

/// What this process can deny itself for good before it takes a secret.
package enum Confinement {
    /// Denies this process all sockets, other programs and other processes from now on, and denies others
    /// a look into its memory.
    ///
    /// On Linux a filter of system calls (seccomp) makes them fail with EPERM, in every thread; it cannot
    /// be taken off. The process starts threads alone, and sends signals to itself alone. Of root's
    /// rights it keeps those to open files. Nothing is written when the process crashes, and other
    /// processes of the same user cannot read its memory. What is open already stays open, so pipes work
    /// and sockets that were there before can still be read and written with `read` and `write`.
    ///
    /// macOS has no such filter that a program may set for itself; there this does nothing.
    ///
    /// - Throws: ``ConfinementFailure`` where the system does not do it; nothing is safe then.
    package static func denyNetworkAndPrograms() throws(ConfinementFailure) {
        #if os(Linux)
        try check(ota_deny_memory_to_others())
        try check(ota_drop_capabilities())
        try check(ota_deny_network_and_programs())
        #endif
    }

    /// Denies this process to open, make, rename, change or remove any file from now on.
    ///
    /// What is open already stays open. On Linux a filter of system calls does that in every thread, and
    /// Landlock once more where the kernel has it. macOS has neither; there this does nothing.
    ///
    /// - Throws: ``ConfinementFailure`` where the system does not do it.
    package static func denyFiles() throws(ConfinementFailure) {
        #if os(Linux)
        try check(ota_deny_files_by_landlock())
        try check(ota_deny_files())
        #endif
    }

    /// Denies other processes of the same user a look into this process, its open files included.
    ///
    /// - Throws: ``ConfinementFailure`` where the system does not do it.
    package static func denyMemoryToOthers() throws(ConfinementFailure) {
        #if os(Linux)
        try check(ota_deny_memory_to_others())
        #endif
    }

    /// Keeps this process's capabilities, such as that to listen on port 443, from programs that it starts.
    ///
    /// A service gets them as ambient ones, which each program would inherit; `bwrap` refuses to start with
    /// them. The process itself keeps them. Only threads that are started afterwards are included, so this
    /// comes first. Where the system has no ambient capabilities, there is nothing to do.
    package static func keepCapabilitiesFromPrograms() {
        #if os(Linux)
        _ = ota_keep_capabilities_from_programs()
        #endif
    }

    /// Has the system kill this process once its parent is gone.
    ///
    /// - Parameter parent: the process that started this one.
    /// - Returns: false where that has ended already.
    package static func end(with parent: Int32) -> Bool {
        #if os(Linux)
        _ = ota_end_with_parent()
        #endif
        return getppid() == parent
    }

    private static func check(_ code: Int32) throws(ConfinementFailure) {
        guard code == 0 else { throw ConfinementFailure(code: code) }
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
