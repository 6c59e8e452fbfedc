import Foundation

/// Why the last system call on this thread failed, such as `no such file or directory`.
enum LastSystemError {
    static var reason: String { unsafe String(cString: strerror(errno)).lowercased() }
}
