package import Bytes
import CLinux
import Foundation

/// An IPA that is being written.
package final class PartialFile {
    private let path: String
    private let descriptor: Int32
    private var waiting: [UInt8] = []
    /// The number of bytes written, and how many of them the system was asked to write to disk.
    private var size = 0
    private var begun = 0

    /// Creates an empty file, replacing an existing one.
    ///
    /// - Throws: ``PackageRefusal/unwritable(_:reason:)``, as the other methods do.
    package init(_ path: String) throws(PackageRefusal) {
        self.path = path
        // Without O_NONBLOCK, opening a pipe without a reader would block forever.
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

    /// Creates an empty file where there is none, and locks it as long as this object exists.
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
        // The cleanup removes files without a lock as leftovers; without support for locks there is none.
        _ = flock(descriptor, LOCK_EX | LOCK_NB)
    }

    deinit {
        close(descriptor)
    }

    /// The flushed bytes, for reading; only for a file from ``init(new:)``.
    ///
    /// - Throws: `SourceFailure`.
    package func source() throws(SourceFailure) -> FileSource {
        try FileSource(descriptor: fcntl(descriptor, F_DUPFD_CLOEXEC, 0))
    }

    /// Appends bytes; small pieces, such as most records of an archive, are buffered.
    package func write(_ bytes: [UInt8]) throws(PackageRefusal) {
        waiting += bytes
        if waiting.count >= 1 << 20 { try flush() }
    }

    /// Appends bytes that are valid only during the call; large pieces are written at once.
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

    /// Flushes the buffer and waits until everything is on disk.
    package func finish() throws(PackageRefusal) {
        try flush()
        guard fsync(descriptor) == 0 else { throw .unwritable(path, reason: Package.reason) }
    }

    /// Writes the buffer to the file, so that it can be read; the data may not be on disk yet.
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

    /// Makes the system begin to write the data to disk, so that waiting at the end takes less time.
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
