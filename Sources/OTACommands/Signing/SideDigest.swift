import Bytes
import Cryptography
import Dispatch
import Synchronization

/// Computes the SHA-256 of bytes on its own thread, while the caller writes them.
///
/// If the system cannot start a thread, the digest is computed on the caller's.
///
/// The bytes are in a few windows that are used in turn: one is filled or written while earlier ones are
/// digested, so no byte is copied for the other thread.
@safe final class SideDigest: @unchecked Sendable {
    /// The size of a window in bytes.
    static let room = 1 << 20
    /// One to fill, one to digest, and one between, so that neither side waits for each window.
    private static let windows = 3

    /// The reason for `@unchecked`: ``next()`` frees a window only after it was digested.
    private let memory = UnsafeMutableRawBufferPointer.allocate(
        byteCount: windows * room,
        alignment: 4096,
    )
    /// The byte counts of the windows that were passed on, in order; 0 at the end.
    private let handed = Mutex<[Int]>([])
    private let filled = DispatchSemaphore(value: 0)
    private let free = DispatchSemaphore(value: 0)
    private let thread = Mutex<WorkerThread?>(nil)
    private let hasher = SHA256Hasher()
    /// The number of digested windows.
    private let done = Atomic<Int>(0)
    private let digest = Mutex<SHA256Digest?>(nil)

    init() {
        for _ in 1..<Self.windows { free.signal() }
        thread.withLock { $0 = WorkerThread { self.run() } }
    }

    deinit {
        unsafe memory.deallocate()
    }

    /// A window to fill; the same until it is passed on.
    func window(_ index: Int) -> UnsafeMutableRawBufferPointer {
        let start = index % Self.windows * Self.room
        return unsafe UnsafeMutableRawBufferPointer(rebasing: memory[start..<start + Self.room])
    }

    /// Passes on a window; it may be read, but not changed, until ``next()`` frees it.
    ///
    /// - Parameter count: the number of bytes at its front; 0 ends the digest.
    func take(_ count: Int) {
        handed.withLock { $0.append(count) }
        if thread.withLock({ $0 }) == nil { digestWindow() } else { filled.signal() }
    }

    /// Waits until the next window can be filled.
    func next() {
        free.wait()
    }

    /// Waits for the digest of everything that was passed on, after its end.
    func wait() -> SHA256Digest {
        thread.withLock { $0 }?.join()
        return digest.withLock { $0 } ?? SHA256Digest(of: [])
    }

    private func run() {
        repeat { filled.wait() } while digestWindow()
    }

    /// Digests the oldest window that was passed on.
    ///
    /// - Returns: false after the end.
    @discardableResult
    private func digestWindow() -> Bool {
        let count = handed.withLock { $0.removeFirst() }
        guard count > 0 else {
            let made = hasher.finish()
            digest.withLock { $0 = made }
            return false
        }
        let index = done.add(1, ordering: .relaxed).oldValue
        unsafe hasher.update(UnsafeRawBufferPointer(rebasing: window(index)[..<count]))
        free.signal()
        return true
    }
}
