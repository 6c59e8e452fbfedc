package import Problems

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// An error of the operating system in a file operation of the store.
package struct SystemFailure: ReportableError, Hashable {
    /// The failed operation, as a verb such as `write` or `sync`.
    package let action: String
    package let path: String
    /// The value of `errno`.
    package let code: Int32

    package init(_ action: String, _ path: String, code: Int32) {
        self.action = action
        self.path = path
        self.code = code
    }

    /// The failure for the current value of `errno`.
    static func last(_ action: String, _ path: String) -> SystemFailure {
        SystemFailure(action, path, code: errno)
    }

    /// The causes that a user can fix.
    package enum Cause: String, Sendable {
        case noSpace = "no-space"
        case quota
        case readOnly = "read-only"
        case tooManyFiles = "too-many-files"
        case notPermitted = "not-permitted"
        case missing
        case medium
        case other
    }

    package var cause: Cause {
        switch code {
        case ENOSPC: .noSpace
        case EDQUOT: .quota
        case EROFS: .readOnly
        case EMFILE, ENFILE: .tooManyFiles
        case EACCES, EPERM: .notPermitted
        case ENOENT: .missing
        case EIO: .medium
        default: .other
        }
    }

    package var id: String { "store.\(cause.rawValue)" }

    package var kind: Problem.Kind {
        switch cause {
        case .noSpace, .quota: .outOfRoom
        case .readOnly, .tooManyFiles, .notPermitted, .missing, .medium, .other: .unavailable
        }
    }

    package var place: String { path }

    /// Pages show the fix too, because admins can run commands on the server's machine.
    package var pageFix: String? { fix }

    package var fix: String {
        switch cause {
        case .noSpace:
            "free space on the disk that holds the store, for example with `ota store gc`"
        case .quota: "raise the disk quota of the user that runs ota, or free space"
        case .readOnly: "mount the disk writable; the system remounts it read-only after errors"
        case .tooManyFiles: "raise the limit of open files (`ulimit -n`) and start again"
        case .notPermitted: "run ota as the user who owns the store, or give that user the folder"
        case .missing: "check that the disk with the store is mounted at this path"
        case .medium: "check the disk and the kernel's log, and restore from a backup"
        case .other: "check the path and the kernel's log"
        }
    }

    package var description: String {
        "cannot \(action) \(path): \(unsafe String(cString: strerror(code)).lowercased())"
    }
}
