import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Buffers lines for standard error, and writes many with few system calls.
///
/// Logging only appends, so no connection waits for the reader of the log; ``flush()`` is called a few
/// times a second and at shutdown. If standard error is not read, the oldest lines are kept and new ones
/// are dropped, so memory use is bounded.
package final class LogSink: Sendable {
    private static let most = 1 << 20

    private let descriptor: Int32
    private let pending = Mutex<[UInt8]>([])
    private let writing = Mutex<Void>(())

    /// - Parameter descriptor: an open file descriptor, which this type does not close.
    package init(descriptor: Int32 = STDERR_FILENO) {
        self.descriptor = descriptor
    }

    /// Adds a line, which must end with a line feed.
    package func append(_ line: String) {
        append { $0 += line.utf8 }
    }

    /// Lets `write` append UTF-8 lines to the pending ones; not called if the buffer is full.
    func append(_ write: (inout [UInt8]) -> Void) {
        pending.withLock { pending in
            if pending.count < Self.most { write(&pending) }
        }
    }

    /// Writes the pending lines as far as the reader accepts them; if it accepts nothing for a second,
    /// the rest stays pending.
    package func flush() {
        writing.withLock { _ in
            let bytes = pending.withLock { pending in
                let bytes = pending
                pending.removeAll(keepingCapacity: bytes.count < 64 * 1024)
                return bytes
            }
            let sent = send(bytes)
            guard sent < bytes.count else { return }
            pending.withLock { $0.insert(contentsOf: bytes[sent...], at: 0) }
        }
    }

    /// - Returns: how many bytes were written; all of them if standard error is closed.
    private func send(_ bytes: [UInt8]) -> Int {
        unsafe bytes.withUnsafeBytes { bytes in
            var sent = 0
            while sent < bytes.count {
                guard isReady() else { return sent }
                // A pipe that is ready takes this many bytes without blocking.
                let piece = bytes.count - sent
                let rest = unsafe UnsafeRawBufferPointer(
                    rebasing: bytes[sent..<sent + min(piece, Int(PIPE_BUF))]
                )
                let count = unsafe write(descriptor, rest.baseAddress, rest.count)
                if count > 0 { sent += count } else if errno != EINTR { return bytes.count }
            }
            return sent
        }
    }

    /// Returns whether the reader accepts bytes within a second.
    private func isReady() -> Bool {
        var place = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        return unsafe poll(&place, 1, 1000) != 0
    }
}
