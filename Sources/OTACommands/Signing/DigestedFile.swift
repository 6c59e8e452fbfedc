import Bytes
import Packaging

/// Writes a signed build, and has it digested on the way.
@safe final class DigestedFile {
    private let file: PartialFile
    private let digest = SideDigest()
    private var index = 0
    private var filled = 0
    private var isFinished = false

    /// - Parameter file: what is written; empty.
    init(_ file: PartialFile) {
        self.file = file
    }

    deinit {
        if !isFinished { digest.take(0) }
    }

    /// Takes bytes that are gone when this returns.
    ///
    /// - Throws: `PackageRefusal`.
    func write(_ bytes: UnsafeRawBufferPointer) throws {
        var position = 0
        while position < bytes.count {
            let room = unsafe room
            let count = min(room.count, bytes.count - position)
            unsafe room.copyMemory(
                from: UnsafeRawBufferPointer(rebasing: bytes[position..<position + count])
            )
            position += count
            try advance(by: count)
        }
    }

    /// Takes a range of a file, which is read to where it is written from.
    ///
    /// - Throws: `SourceFailure` or `PackageRefusal`.
    func copy(_ range: Range<Int>, of source: any ByteSource) throws {
        var position = range.lowerBound
        while position < range.upperBound {
            let room = unsafe UnsafeMutableRawBufferPointer(
                rebasing: room.prefix(range.upperBound - position)
            )
            let count = try unsafe source.read(at: position, into: room)
            guard count > 0 else { throw SourceFailure(offset: position, reason: "ended early") }
            position += count
            try advance(by: count)
        }
    }

    /// Gives the system all that was taken.
    ///
    /// - Returns: the digest of it, which is still being made.
    /// - Throws: `PackageRefusal`.
    func finish() throws -> SideDigest {
        if filled > 0 { try hand() }
        try file.flush()
        isFinished = true
        digest.take(0)
        return digest
    }

    /// What is free of the window.
    private var room: UnsafeMutableRawBufferPointer {
        unsafe UnsafeMutableRawBufferPointer(rebasing: digest.window(index)[filled...])
    }

    private func advance(by count: Int) throws {
        filled += count
        if filled == SideDigest.room { try hand() }
    }

    /// Writes the window while it is digested, and goes on to the next.
    private func hand() throws {
        digest.take(filled)
        let window = unsafe UnsafeRawBufferPointer(rebasing: digest.window(index)[..<filled])
        filled = 0
        index += 1
        try unsafe file.write(window)
        digest.next()
    }
}
