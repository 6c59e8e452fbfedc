import NIOCore
import Synchronization

/// The bytes of a window, valid during the call that receives them.
///
/// Unchecked because pointers are not `Sendable`: the window's lock is held until that call returns, so
/// no other thread fills or frees the bytes in the meantime.
@safe package struct FullWindow: @unchecked Sendable {
    /// Valid only during the call.
    package let bytes: UnsafeRawBufferPointer

    /// - Parameter bytes: valid during the call that receives them.
    package init(bytes: UnsafeRawBufferPointer) {
        unsafe self.bytes = bytes
    }
}

/// A reused buffer for a stretch of a body: filled on the event loop and emptied on another thread, never
/// both at once.
///
/// Each byte has the same offset within a memory block as within a disk block, so blocks can be written
/// directly from memory.
final class BodyWindow: Sendable {
    /// Initial capacity in bytes.
    static let room = 512 << 10
    private static let block = 4096

    @safe private struct Memory: ~Copyable {
        var room: Int
        var base: UnsafeMutableRawPointer
        /// The range of valid bytes, as offsets from `base`.
        var start = 0
        var end = 0

        init(room: Int) {
            self.room = room
            unsafe base = .allocate(byteCount: room, alignment: BodyWindow.block)
        }

        deinit {
            unsafe base.deallocate()
        }

        var bytes: UnsafeRawBufferPointer {
            unsafe UnsafeRawBufferPointer(start: base + start, count: end - start)
        }

        mutating func add(_ bytes: UnsafeRawBufferPointer) {
            if bytes.count > room - end { grow(by: bytes.count) }
            guard let source = bytes.baseAddress else { return }
            unsafe (base + end).copyMemory(from: source, byteCount: bytes.count)
            end += bytes.count
        }

        private mutating func grow(by count: Int) {
            var larger = Memory(room: max(2 * room, end + count))
            larger.start = start
            larger.end = start
            unsafe larger.add(bytes)
            self = larger
        }

        /// Moves the bytes to offset `place`, growing the memory if they do not fit there.
        mutating func move(to place: Int) {
            if end - start > room - place { grow(by: place) }
            unsafe (base + place).copyMemory(from: base + start, byteCount: end - start)
            end += place - start
            start = place
        }
    }

    private let memory = Mutex(Memory(room: BodyWindow.room))

    func fill(with part: ByteBuffer) {
        memory.withLock { memory in
            unsafe part.withUnsafeReadableBytes { unsafe memory.add($0) }
        }
    }

    /// Moves the bytes so that they start at the position that file offset `offset` has within its block.
    func align(to offset: Int) {
        memory.withLock { $0.move(to: offset % Self.block) }
    }

    /// Starts with the trailing bytes of `other` that do not fill a block, and removes them from `other`.
    ///
    /// - Returns: the number of those bytes.
    func begin(withEndOf other: BodyWindow) -> Int {
        let rest = other.memory.withLock { other in
            let count = min(other.end % Self.block, other.end - other.start)
            other.end -= count
            let bytes = unsafe UnsafeRawBufferPointer(start: other.base + other.end, count: count)
            return unsafe [UInt8](bytes)
        }
        return memory.withLock { memory in
            memory.start = 0
            memory.end = 0
            unsafe rest.withUnsafeBytes { unsafe memory.add($0) }
            return rest.count
        }
    }

    /// - Returns: the number of bytes passed to `take`.
    func empty(into take: (FullWindow) throws -> Void) throws -> Int {
        try memory.withLock { memory in
            let window = unsafe FullWindow(bytes: memory.bytes)
            try take(window)
            memory.start = 0
            memory.end = 0
            return unsafe window.bytes.count
        }
    }
}
