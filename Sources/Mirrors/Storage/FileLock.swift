import Foundation
import Store

/// An exclusive lock, against other holders in this process and in all others; released when it is freed.
package final class FileLock: Sendable {
    private let file: Int32

    /// - Returns: nil while another holder has the lock.
    /// - Throws: ``StoreFailure/system(_:)`` if the lock's file cannot be opened or locked.
    package init?(_ path: String) throws {
        try FileManager.default.createDirectory(
            atPath: (path as NSString).deletingLastPathComponent,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700],
        )
        let file = unsafe open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file >= 0 else {
            throw StoreFailure.system(SystemFailure("open", path, code: errno))
        }
        guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
            let code = errno
            close(file)
            guard code != EWOULDBLOCK else { return nil }
            throw StoreFailure.system(SystemFailure("lock", path, code: code))
        }
        self.file = file
    }

    deinit {
        // A child process holds a copy of the descriptor between `fork` and `exec`, so that closing alone
        // would not release the lock.
        flock(file, LOCK_UN)
        close(file)
    }
}
