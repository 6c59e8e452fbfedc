#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Proof that this process is the only server on a store; given back when it is dropped.
///
/// The command line needs none: it may work on the store beside the server.
package final class ServerLease: Sendable {
    private let file: OpenFile

    /// - Throws: ``StoreFailure/alreadyServed(path:)`` while another process has it.
    package init(on backend: DirectoryBackend) throws(StoreFailure) {
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
