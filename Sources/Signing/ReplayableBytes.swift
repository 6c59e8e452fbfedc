/// Bytes that can be read from the start repeatedly: an entry of an archive, a file, an array.
package protocol ReplayableBytes: Sendable {
    /// The number of bytes; the same on every read.
    var count: Int { get }

    /// Passes all bytes to `body` in order.
    ///
    /// - Parameter body: receives windows of at most 256 KiB, which are valid only during the call.
    /// - Throws: errors of the byte source or of `body`.
    func read(_ body: (UnsafeRawBufferPointer) throws -> Void) throws
}

/// Reads an array in windows of 256 KiB.
extension [UInt8]: ReplayableBytes {
    package func read(_ body: (UnsafeRawBufferPointer) throws -> Void) throws {
        let window = 256 << 10
        try unsafe withUnsafeBytes { bytes in
            for start in stride(from: 0, to: bytes.count, by: window) {
                let end = Swift.min(start + window, bytes.count)
                try unsafe body(UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
            }
        }
    }
}
