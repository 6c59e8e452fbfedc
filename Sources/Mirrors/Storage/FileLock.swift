import Foundation
import Store

/// One holder at a time, in this process and all others; let go of when it is dropped.
package final class FileLock: Sendable {
    private let file: Int32

    /// - Returns: nil while another process has it.
    /// - Throws: ``StoreFailure/system(_:)`` where the lock cannot be opened or taken.
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
        // A program that is being started holds a copy until it has become itself: closing alone would
        // leave the lock with it.
        flock(file, LOCK_UN)
        close(file)
    }
}
