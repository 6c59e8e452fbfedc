import CZlib

/// Compresses the pieces that `next` gives, until it gives nil, as one raw deflate stream.
///
/// The level is fixed, so that the same contents give the same bytes wherever the zlib is the same.
///
/// - Parameters:
///   - next: gives each piece, and nil after the last.
///   - consume: takes the compressed bytes as they come.
/// - Throws: what the two closures throw, or ``ZipWriterFailure/outOfMemory``.
func deflate(
    _ next: () throws -> [UInt8]?,
    into consume: ([UInt8]) throws -> Void,
) throws {
    let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    defer { unsafe stream.deallocate() }
    unsafe stream.initialize(to: z_stream())
    let status = unsafe deflateInit2_(
        stream,
        6,
        Z_DEFLATED,
        -MAX_WBITS,
        8,
        Z_DEFAULT_STRATEGY,
        ZLIB_VERSION,
        Int32(MemoryLayout<z_stream>.size),
    )
    guard status == Z_OK else { throw ZipWriterFailure.outOfMemory }
    defer { unsafe deflateEnd(stream) }
    while let piece = try next() {
        try unsafe deflate(piece, flush: Z_NO_FLUSH, stream, into: consume)
    }
    try unsafe deflate([], flush: Z_FINISH, stream, into: consume)
}

/// Feeds one piece and hands on whatever zlib gives for it.
private func deflate(
    _ piece: [UInt8],
    flush: Int32,
    _ stream: UnsafeMutablePointer<z_stream>,
    into consume: ([UInt8]) throws -> Void,
) throws {
    // A mutable copy, because zlib's pointer is not const; it never writes there.
    var input = piece
    var offset = 0
    var isDone = false
    while !isDone {
        let output = unsafe input.withUnsafeMutableBufferPointer { source in
            // zlib counts in 32 bits.
            let count = min(source.count - offset, 1 << 30)
            unsafe stream.pointee.next_in = source.baseAddress?.advanced(by: offset)
            unsafe stream.pointee.avail_in = UInt32(count)
            defer { offset += count - Int(unsafe stream.pointee.avail_in) }
            return unsafe nextWindow(of: stream, flush: flush)
        }
        if !output.isEmpty { try consume(output) }
        isDone = offset == input.count && output.count < deflateWindow
    }
}

private let deflateWindow = 64 << 10

private func nextWindow(of stream: UnsafeMutablePointer<z_stream>, flush: Int32) -> [UInt8] {
    unsafe [UInt8](unsafeUninitializedCapacity: deflateWindow) { buffer, filled in
        unsafe stream.pointee.next_out = buffer.baseAddress
        unsafe stream.pointee.avail_out = UInt32(deflateWindow)
        unsafe CZlib.deflate(stream, flush)
        filled = deflateWindow - Int(unsafe stream.pointee.avail_out)
    }
}

/// Continues a CRC-32 over more bytes.
func crc32(_ checksum: UInt32, over bytes: [UInt8]) -> UInt32 {
    UInt32(
        truncatingIfNeeded: unsafe bytes.withUnsafeBufferPointer {
            unsafe crc32_z(UInt(checksum), $0.baseAddress, $0.count)
        }
    )
}
