#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The lease of the only server of a folder: a `flock` on a file in it, which the kernel releases when the
/// process ends.
final class ServerLock: ServerLease {
    private let file: OpenFile

    /// - Throws: ``StoreFailure/alreadyServed(path:)`` while another process holds the lock.
    init(on backend: DirectoryBackend) throws(StoreFailure) {
        let path = backend.root + "/server.lock"
        var isFree = false
        do throws(SystemFailure) {
            file = try OpenFile.open(path, O_RDWR | O_CREAT, mode: 0o600)
            isFree = try file.tryLock()
        } catch {
            throw .system(error)
        }
        guard isFree else { throw .alreadyServed(path: backend.root) }
    }
}

extension DirectoryBackend {
    package func claimForServer() throws(StoreFailure) -> (any ServerLease)? {
        try ServerLock(on: self)
    }
}
