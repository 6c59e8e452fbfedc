#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A file read with `pread`, so that an IPA is neither loaded into memory nor mapped.
///
/// The size is read once; if the file shrinks later, reading throws instead of trapping.
package final class FileSource: ByteSource {
    package let count: Int
    private let descriptor: Int32

    /// Opens a regular file for reading.
    ///
    /// - Throws: ``SourceFailure`` with the system's reason, such as a missing file or permission, or
    ///   when it is not a regular file.
    package convenience init(path: String) throws(SourceFailure) {
        guard !path.utf8.contains(0) else {
            throw SourceFailure(offset: 0, reason: "the path contains a null character")
        }
        // Without O_NONBLOCK, opening a pipe without a writer would block forever.
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw SourceFailure(offset: 0, reason: Self.lastError()) }
        try self.init(descriptor: descriptor)
    }

    /// Takes ownership of a descriptor, and closes it on deallocation, or at once if it is not a regular
    /// file.
    ///
    /// - Throws: ``SourceFailure`` with the system's reason.
    package init(descriptor: Int32) throws(SourceFailure) {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else {
            let reason = Self.lastError()
            close(descriptor)
            throw SourceFailure(offset: 0, reason: reason)
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw SourceFailure(offset: 0, reason: "not a regular file")
        }
        self.descriptor = descriptor
        count = Int(status.st_size)
    }

    deinit {
        close(descriptor)
    }

    /// A path that opens this file even after it was renamed or removed, as long as this object exists.
    package var path: String {
        #if os(Linux)
        "/proc/self/fd/\(descriptor)"
        #else
        "/dev/fd/\(descriptor)"
        #endif
    }

    package func read(
        at offset: Int,
        into buffer: UnsafeMutableRawBufferPointer,
    ) throws(SourceFailure) -> Int {
        guard offset >= 0, offset <= count else {
            throw SourceFailure(
                offset: offset,
                reason: "outside the \(count.grouped) bytes there are",
            )
        }
        let wanted = min(buffer.count, count - offset)
        guard wanted > 0 else { return 0 }
        while true {
            let got = unsafe pread(descriptor, buffer.baseAddress, wanted, off_t(offset))
            if got > 0 { return got }
            guard got < 0 else {
                throw SourceFailure(offset: offset, reason: "the file became shorter")
            }
            guard errno == EINTR else {
                throw SourceFailure(offset: offset, reason: Self.lastError())
            }
        }
    }

    private static func lastError() -> String {
        unsafe String(cString: strerror(errno)).lowercased()
    }
}
