import Bytes
import Packaging

/// Writes a signed build and computes its digest at the same time.
@safe final class DigestedFile {
    private let file: PartialFile
    private let digest = SideDigest()
    private var index = 0
    private var filled = 0
    private var isFinished = false

    /// - Parameter file: the file to write; empty.
    init(_ file: PartialFile) {
        self.file = file
    }

    deinit {
        if !isFinished { digest.take(0) }
    }

    /// Writes bytes that are valid only during the call.
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

    /// Copies a range of a file, which is read directly into the window.
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

    /// Writes all remaining bytes.
    ///
    /// - Returns: the digest, which is still being computed.
    /// - Throws: `PackageRefusal`.
    func finish() throws -> SideDigest {
        if filled > 0 { try hand() }
        try file.flush()
        isFinished = true
        digest.take(0)
        return digest
    }

    /// The free part of the window.
    private var room: UnsafeMutableRawBufferPointer {
        unsafe UnsafeMutableRawBufferPointer(rebasing: digest.window(index)[filled...])
    }

    private func advance(by count: Int) throws {
        filled += count
        if filled == SideDigest.room { try hand() }
    }

    /// Writes the window while its digest is computed, and continues with the next.
    private func hand() throws {
        digest.take(filled)
        let window = unsafe UnsafeRawBufferPointer(rebasing: digest.window(index)[..<filled])
        filled = 0
        index += 1
        try unsafe file.write(window)
        digest.next()
    }
}
