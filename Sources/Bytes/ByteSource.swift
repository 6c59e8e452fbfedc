package import Problems

/// Bytes that are read by range and need not be in memory: a file, or an array in a test.
///
/// Several threads may read at once.
package protocol ByteSource: Sendable {
    /// The number of bytes, fixed for the life of the source.
    var count: Int { get }

    /// Reads the bytes at `offset` into the start of `buffer`.
    ///
    /// - Returns: the number of bytes read: `buffer.count`, or fewer when the source ends before; never 0
    ///   before the end.
    /// - Throws: ``SourceFailure`` when reading fails or `offset` is out of range.
    func read(
        at offset: Int,
        into buffer: UnsafeMutableRawBufferPointer,
    ) throws(SourceFailure) -> Int
}

extension ByteSource {
    /// Reads exactly `count` bytes, at most 64 MiB.
    ///
    /// - Throws: ``SourceFailure``, also when the range is not entirely inside the source.
    package func bytes(at offset: Int, count: Int) throws(SourceFailure) -> [UInt8] {
        guard offset >= 0, count >= 0, offset <= self.count, count <= self.count - offset else {
            throw SourceFailure(
                offset: offset,
                reason: "\(count.grouped) bytes reach beyond the end at \(self.count.grouped)",
            )
        }
        let room: BoundedCount
        do throws(OversizedCount) {
            room = try BoundedCount(count, atMost: 64 << 20, of: "bytes at once")
        } catch {
            throw SourceFailure(offset: offset, reason: "\(count.grouped) bytes are \(error)")
        }
        var failure: SourceFailure?
        let result = unsafe [UInt8](uninitialized: room) { buffer, filled in
            do throws(SourceFailure) {
                while filled < count {
                    let rest = unsafe UnsafeMutableRawBufferPointer(
                        rebasing: UnsafeMutableRawBufferPointer(buffer)[filled..<count]
                    )
                    let got = try unsafe read(at: offset + filled, into: rest)
                    guard got > 0 else {
                        throw SourceFailure(offset: offset + filled, reason: "ended early")
                    }
                    filled += got
                }
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return result
    }
}

/// A ``ByteSource`` could not be read, or a file not written.
package struct SourceFailure: ReportableError, Equatable {
    package let offset: Int
    package let reason: String

    package init(offset: Int, reason: String) {
        self.offset = offset
        self.reason = reason
    }

    package var description: String { "cannot read at offset \(offset): \(reason)" }
}

extension SourceFailure {
    package var id: String { "input.unreadable" }
    package var kind: Problem.Kind { .unavailable }
    package var fix: String { "check the path and its permissions" }
}

/// A source of bytes in memory.
package struct MemorySource: ByteSource {
    private let bytes: [UInt8]

    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    package var count: Int { bytes.count }

    package func read(
        at offset: Int,
        into buffer: UnsafeMutableRawBufferPointer,
    ) throws(SourceFailure) -> Int {
        guard offset >= 0, offset <= bytes.count else {
            throw SourceFailure(
                offset: offset,
                reason: "outside the \(bytes.count.grouped) bytes there are",
            )
        }
        let count = min(buffer.count, bytes.count - offset)
        unsafe buffer.copyBytes(from: bytes[offset..<offset + count])
        return count
    }
}
