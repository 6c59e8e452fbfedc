#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The lease of one kind of work on a folder: a `flock` on a file in it, which a process that dies
/// lets go of.
final class WorkLock: WorkLease {
    private let file: OpenFile

    private init(_ file: consuming OpenFile) {
        self.file = file
    }

    /// - Returns: nil while another holder has it.
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

/// The lease of a holder that keeps its work for as long as its process runs.
package final class LastingLease: WorkLease {
    package init() {}
}
