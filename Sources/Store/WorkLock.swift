#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The lease of one kind of work on a folder: a `flock` on a file in it, which the kernel releases when the
/// process ends.
final class WorkLock: WorkLease {
    private let file: OpenFile

    private init(_ file: consuming OpenFile) {
        self.file = file
    }

    /// - Returns: nil while another holder has the lease.
    static func claim(_ path: String) throws(StoreFailure) -> WorkLock? {
        do throws(SystemFailure) {
            let file = try OpenFile.open(path, O_RDWR | O_CREAT, mode: 0o600)
            return try file.tryLock() ? WorkLock(file) : nil
        } catch {
            throw .system(error)
        }
    }
}

extension DirectoryBackend {
    package func claim(_ work: String) throws(StoreFailure) -> (any WorkLease)? {
        guard DocumentName.isAllowed(work) else { throw .unusableName(work) }
        try requireStore()
        return try WorkLock.claim("\(root)/\(work).lock")
    }
}

/// A lease that is held as long as the process runs.
package final class LastingLease: WorkLease {
    package init() {}
}
