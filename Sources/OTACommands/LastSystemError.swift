import Foundation

/// Why the system refused the last call on this thread, such as `no such file or directory`.
enum LastSystemError {
    static var reason: String { unsafe String(cString: strerror(errno)).lowercased() }
}
