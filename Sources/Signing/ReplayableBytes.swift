/// Bytes that can be read front to back as often as needed: an entry of an archive, a file, an array.
package protocol ReplayableBytes: Sendable {
    /// How many there are; the same at every reading.
    var count: Int { get }

    /// Gives all bytes in order.
    ///
    /// - Parameter body: takes windows of at most 256 KiB, whose bytes are gone when it returns.
    /// - Throws: what the medium or `body` throws.
    func read(_ body: (UnsafeRawBufferPointer) throws -> Void) throws
}

/// An array is read in one piece for each 256 KiB.
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
