import Cryptography
import Dispatch
import Synchronization

/// Makes the SHA-256 of bytes on a thread of its own, while whoever gives them writes them.
///
/// The bytes lie in a few windows that are used in turn: one is filled or written while those before it are
/// digested, and no byte is copied for the other thread.
@safe final class SideDigest: @unchecked Sendable {
    /// Bytes of a window.
    static let room = 1 << 20
    /// One to fill, one to digest, and one between, so that neither side waits for each window.
    private static let windows = 3

    /// Unchecked for its sake: ``next()`` gives a window away only once its digest is made.
    private let memory = UnsafeMutableRawBufferPointer.allocate(
        byteCount: windows * room,
        alignment: 4096,
    )
    /// How much is in the windows that were handed over, in their order; none at the end.
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

    /// Hands a window over; it may still be read, and not be changed, until ``next()`` gives it again.
    ///
    /// - Parameter count: bytes at its front; none to end the digest.
    func take(_ count: Int) {
        handed.withLock { $0.append(count) }
        filled.signal()
    }

    /// Waits until the window after the one that was handed over can be filled.
    func next() {
        free.wait()
    }

    /// The digest of everything that was handed over, once its end was.
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
