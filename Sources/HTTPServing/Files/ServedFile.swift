import CLinux
package import NIOCore
import NIOPosix

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A file on disk while it is being sent.
///
/// Bytes in the page cache are read at once on the connection's thread; others are read by a thread pool,
/// so that one cold file does not hold up the other connections of that thread.
package final class ServedFile: Sendable {
    private let descriptor: Int32

    /// Opens a file for reading.
    ///
    /// - Throws: `IOError` with the system's `errno`.
    package init(path: String) throws {
        descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw IOError(errnoCode: errno, reason: "open") }
    }

    deinit {
        close(descriptor)
    }

    /// Fills the empty buffer with up to `count` bytes from `offset`.
    ///
    /// - Returns: the buffer with at least one byte.
    /// - Throws: `IOError` if reading fails or the file ends before `offset`.
    package func read(
        _ count: Int,
        at offset: Int,
        into buffer: consuming ByteBuffer,
    ) async throws
        -> ByteBuffer
    {
        if try Self.fill(&buffer, count, descriptor, offset, waiting: false) { return buffer }
        return try await NIOThreadPool.singleton.runIfActive { [self] in
            var buffer = ByteBuffer()
            buffer.reserveCapacity(count)
            guard try Self.fill(&buffer, count, descriptor, offset, waiting: true) else {
                throw IOError(errnoCode: EIO, reason: "the file ends early")
            }
            return buffer
        }
    }

    /// - Returns: whether bytes were read; false if reading would block, or at the end of the file.
    private static func fill(
        _ buffer: inout ByteBuffer,
        _ count: Int,
        _ descriptor: Int32,
        _ offset: Int,
        waiting: Bool,
    ) throws -> Bool {
        let got = unsafe try buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: count) {
            room in
            while true {
                let room = unsafe UnsafeMutableRawBufferPointer(rebasing: room[..<count])
                let got = unsafe readNow(descriptor, room, offset, waiting)
                if got >= 0 { return got }
                switch errno {
                case EINTR: continue
                case EAGAIN where !waiting, EOPNOTSUPP where !waiting: return 0
                default: throw IOError(errnoCode: errno, reason: "pread")
                }
            }
        }
        return got > 0
    }

    private static func readNow(
        _ descriptor: Int32,
        _ room: UnsafeMutableRawBufferPointer,
        _ offset: Int,
        _ waiting: Bool,
    ) -> Int {
        #if os(Linux)
        if !waiting {
            var piece = unsafe iovec(iov_base: room.baseAddress, iov_len: room.count)
            return unsafe preadv2(descriptor, &piece, 1, Int64(offset), Int32(OTA_RWF_NOWAIT))
        }
        #endif
        return unsafe pread(descriptor, room.baseAddress, room.count, off_t(offset))
    }
}
