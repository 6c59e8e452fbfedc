import CLinux
import Essentials
package import Problems

/// Irrevocable restrictions of this process, applied before it receives a secret.
package enum Confinement {
    /// Denies this process all sockets, other programs and other processes from now on, and denies others
    /// access to its memory.
    ///
    /// On Linux a system call filter (seccomp), which cannot be removed, makes these calls fail with EPERM
    /// in every thread. The process can only start threads, and send signals to itself. Of root's
    /// capabilities it keeps those for opening files. No core dump is written when the process crashes, and
    /// other processes of the same user cannot read its memory. Open descriptors stay open, so pipes work,
    /// and existing sockets can still be read and written with `read` and `write`.
    ///
    /// macOS has no such filter that a process can apply to itself; there this does nothing.
    ///
    /// - Throws: ``ConfinementFailure`` if the system refuses; the process must then not receive secrets.
    package static func denyNetworkAndPrograms() throws(ConfinementFailure) {
        #if os(Linux)
        try check(ota_deny_memory_to_others())
        try check(ota_drop_capabilities())
        try check(ota_deny_network_and_programs())
        #endif
    }

    /// Denies this process opening, creating, renaming, changing or removing any file from now on.
    ///
    /// Open files stay open. On Linux a system call filter does this in every thread, and Landlock too if
    /// the kernel has it. macOS has neither; there this does nothing.
    ///
    /// - Throws: ``ConfinementFailure`` if the system refuses.
    package static func denyFiles() throws(ConfinementFailure) {
        #if os(Linux)
        try check(ota_deny_files_by_landlock())
        try check(ota_deny_files())
        #endif
    }

    /// Denies other processes of the same user access to this process's memory and open files.
    ///
    /// - Throws: ``ConfinementFailure`` if the system refuses.
    package static func denyMemoryToOthers() throws(ConfinementFailure) {
        #if os(Linux)
        try check(ota_deny_memory_to_others())
        #endif
    }

    /// Prevents programs that this process starts from inheriting its capabilities, such as listening on
    /// port 443.
    ///
    /// A service gets them as ambient capabilities, which each program would inherit; `bwrap` refuses to
    /// start with them. The process itself keeps them. Only threads that start afterwards are covered, so
    /// this must be called first. If the system has no ambient capabilities, there is nothing to do.
    package static func keepCapabilitiesFromPrograms() {
        #if os(Linux)
        _ = ota_keep_capabilities_from_programs()
        #endif
    }

    /// Has the system kill this process when its parent ends.
    ///
    /// - Parameter parent: the process that started this one.
    /// - Returns: false if the parent has ended already.
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
