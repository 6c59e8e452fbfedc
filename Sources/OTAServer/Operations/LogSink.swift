import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Lines on their way to standard error, several to a system call.
///
/// Whoever logs only appends, so that no connection waits for the reader of the log; ``flush()`` is
/// called a few times a second and at the end. When nobody reads standard error the oldest lines
/// are kept and the newest dropped, so memory is bounded.
package final class LogSink: Sendable {
    private static let most = 1 << 20

    private let descriptor: Int32
    private let pending = Mutex<[UInt8]>([])
    private let writing = Mutex<Void>(())

    /// - Parameter descriptor: an open file descriptor that is not closed here.
    package init(descriptor: Int32 = STDERR_FILENO) {
        self.descriptor = descriptor
    }

    /// Adds a line, which ends in a line feed.
    package func append(_ line: String) {
        pending.withLock { pending in
            if pending.count < Self.most { pending.append(contentsOf: line.utf8) }
        }
    }

    /// Writes what is pending; blocks while the reader does.
    package func flush() {
        writing.withLock { _ in
            let bytes = pending.withLock { pending in
                let bytes = pending
                pending.removeAll(keepingCapacity: bytes.count < 64 * 1024)
                return bytes
            }
            unsafe bytes.withUnsafeBytes { bytes in
                var sent = 0
                while sent < bytes.count {
                    let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[sent...])
                    let count = unsafe write(descriptor, rest.baseAddress, rest.count)
                    if count > 0 { sent += count } else if errno != EINTR { return }
                }
            }
        }
    }
}
