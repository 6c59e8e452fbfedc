package import Bytes
import CLinux
import Foundation

/// An IPA while it grows.
package final class PartialFile {
    private let path: String
    private let descriptor: Int32
    private var waiting: [UInt8] = []
    /// Bytes that the system has, and those of them that it was asked to write to the medium.
    private var size = 0
    private var begun = 0

    /// Makes an empty file, in the place of what is there.
    ///
    /// - Throws: ``PackageRefusal/unwritable(_:reason:)``, as all that follows.
    package init(_ path: String) throws(PackageRefusal) {
        self.path = path
        // Without O_NONBLOCK, opening a pipe without a reader would block for ever.
        descriptor = unsafe open(
            path,
            O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK,
            0o644,
        )
        guard descriptor >= 0 else { throw .unwritable(path, reason: Package.reason) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw .unwritable(path, reason: "it is not a regular file")
        }
    }

    /// Makes an empty file where there is none, with a lock on it for as long as this exists.
    ///
    /// - Throws: ``PackageRefusal/unwritable(_:reason:)``.
    package init(new path: String) throws(PackageRefusal) {
        self.path = path
        descriptor = unsafe open(
            path,
            O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW,
            0o644,
        )
        guard descriptor >= 0 else { throw .unwritable(path, reason: Package.reason) }
        // Whoever tidies up takes files without a lock for leftovers; without locks there is no such.
        _ = flock(descriptor, LOCK_EX | LOCK_NB)
    }

    deinit {
        close(descriptor)
    }

    /// What has been flushed, for reading; of a file that was made by ``init(new:)``.
    ///
    /// - Throws: `SourceFailure`.
    package func source() throws(SourceFailure) -> FileSource {
        try FileSource(descriptor: fcntl(descriptor, F_DUPFD_CLOEXEC, 0))
    }

    /// Keeps small pieces back, as most records of an archive are.
    package func write(_ bytes: [UInt8]) throws(PackageRefusal) {
        waiting += bytes
        if waiting.count >= 1 << 20 { try flush() }
    }

    /// The same for bytes that are gone when this returns; large pieces go at once.
    package func write(_ bytes: UnsafeRawBufferPointer) throws(PackageRefusal) {
        guard bytes.count >= 1 << 16 else {
            unsafe waiting.append(contentsOf: bytes)
            if waiting.count >= 1 << 20 { try flush() }
            return
        }
        try flush()
        try unsafe put(bytes)
        beginWriting()
    }

    /// Waits until everything is on the medium.
    package func finish() throws(PackageRefusal) {
        try flush()
        guard fsync(descriptor) == 0 else { throw .unwritable(path, reason: Package.reason) }
    }

    /// Gives the system everything, so that it can be read; it need not be on the medium.
    package func flush() throws(PackageRefusal) {
        var failure: PackageRefusal?
        unsafe waiting.withUnsafeBytes { bytes in
            do throws(PackageRefusal) {
                try unsafe put(bytes)
            } catch {
                failure = error
            }
        }
        waiting.removeAll(keepingCapacity: true)
        if let failure { throw failure }
    }

    private func put(_ bytes: UnsafeRawBufferPointer) throws(PackageRefusal) {
        var done = 0
        while done < bytes.count {
            let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[done...])
            let written = unsafe Foundation.write(descriptor, rest.baseAddress, rest.count)
            if written < 0, errno == EINTR { continue }
            guard written > 0 else { throw .unwritable(path, reason: Package.reason) }
            done += written
        }
        size += done
    }

    /// Makes the system begin to write to disk what has arrived so far, so that the wait at the end is
    /// short.
    private func beginWriting() {
        guard size - begun >= 8 << 20 else { return }
        #if os(Linux)
        _ = sync_file_range(
            descriptor,
            Int64(begun),
            Int64(size - begun),
            UInt32(OTA_SYNC_FILE_RANGE_WRITE),
        )
        #endif
        begun = size
    }
}
