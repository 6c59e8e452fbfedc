import Cryptography
import Dispatch
import Synchronization

/// Computes the SHA-256 of bytes on its own thread, while the caller writes them.
///
/// The bytes are in a few windows that are used in turn: one is filled or written while earlier
/// ones are digested, so no byte is copied for the other thread.
@safe final class SideDigest: @unchecked Sendable {
    /// Bytes of a window.
    static let room = 1 << 20
    /// One to fill, one to digest, and one between, so that neither side waits for each window.
    private static let windows = 3

    /// The reason for `@unchecked`: ``next()`` frees a window only after it was digested.
    private let memory = UnsafeMutableRawBufferPointer.allocate(
        byteCount: windows * room,
        alignment: 4096,
    )
    /// Byte counts of the windows that were handed over, in order; 0 at the end.
    private let handed = Mutex<[Int]>([])
    private let filled = DispatchSemaphore(value: 0)
    private let free = DispatchSemaphore(value: 0)
    private let thread = DispatchGroup()
    private let digest = Mutex<SHA256Digest?>(nil)

    init() {
        for _ in 1..<Self.windows { free.signal() }
        DispatchQueue.global(qos: .userInitiated).async(group: thread) { self.run() }
    }

    deinit {
        unsafe memory.deallocate()
    }

    /// A window to fill; the same until it is handed over.
    func window(_ index: Int) -> UnsafeMutableRawBufferPointer {
        let start = index % Self.windows * Self.room
        return unsafe UnsafeMutableRawBufferPointer(rebasing: memory[start..<start + Self.room])
    }

    /// Hands over a window; it may be read, but not changed, until ``next()`` frees it.
    ///
    /// - Parameter count: bytes at its front; 0 ends the digest.
    func take(_ count: Int) {
        handed.withLock { $0.append(count) }
        filled.signal()
    }

    /// Waits until the next window can be filled.
    func next() {
        free.wait()
    }

    /// Waits for the digest of everything that was handed over, after its end.
    func wait() -> SHA256Digest {
        thread.wait()
        return digest.withLock { $0 } ?? SHA256Digest(of: [])
    }

    private func run() {
        let hasher = SHA256Hasher()
        var index = 0
        while true {
            filled.wait()
            let count = handed.withLock { $0.removeFirst() }
            guard count > 0 else { break }
            unsafe hasher.update(UnsafeRawBufferPointer(rebasing: window(index)[..<count]))
            index += 1
            free.signal()
        }
        let made = hasher.finish()
        digest.withLock { $0 = made }
    }
}
