import CZlib

/// Compresses the pieces that `next` returns, up to nil, as one raw deflate stream.
///
/// The level is fixed, so the same contents give the same bytes with the same version of zlib.
///
/// - Parameters:
///   - next: returns each piece, and nil after the last.
///   - consume: receives the compressed bytes in order.
/// - Throws: errors of the two closures, or ``ZipWriterFailure/outOfMemory``.
func deflate(
    _ next: () throws -> [UInt8]?,
    into consume: ([UInt8]) throws -> Void,
) throws {
    let stream = try DeflateStream()
    while let piece = try next() {
        try unsafe piece.withUnsafeBytes { try unsafe stream.take($0, into: consume) }
    }
    try stream.finish(into: consume)
}

/// A raw deflate stream in progress.
@safe final class DeflateStream {
    private static let window = 64 << 10

    private let stream: UnsafeMutablePointer<z_stream>

    init() throws(ZipWriterFailure) {
        unsafe stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
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
        guard status == Z_OK else { throw .outOfMemory }
    }

    deinit {
        unsafe deflateEnd(stream)
        unsafe stream.deallocate()
    }

    /// Compresses one piece and passes on the output that zlib has so far.
    func take(
        _ piece: UnsafeRawBufferPointer,
        into consume: ([UInt8]) throws -> Void,
    ) throws {
        try unsafe run(piece, flush: Z_NO_FLUSH, into: consume)
    }

    /// Passes on the rest of the stream; call nothing afterwards.
    func finish(into consume: ([UInt8]) throws -> Void) throws {
        let nothing = unsafe UnsafeRawBufferPointer(start: nil, count: 0)
        try unsafe run(nothing, flush: Z_FINISH, into: consume)
    }

    private func run(
        _ piece: UnsafeRawBufferPointer,
        flush: Int32,
        into consume: ([UInt8]) throws -> Void,
    ) throws {
        var offset = 0
        var isDone = false
        while !isDone {
            // zlib counts in 32 bits; its pointer is not const, but zlib never writes through it.
            let count = min(piece.count - offset, 1 << 30)
            unsafe stream.pointee.next_in = unsafe UnsafeMutablePointer(
                mutating: piece.bindMemory(to: UInt8.self).baseAddress?.advanced(by: offset)
            )
            unsafe stream.pointee.avail_in = UInt32(count)
            let output = nextWindow(flush: flush)
            offset += count - Int(unsafe stream.pointee.avail_in)
            if !output.isEmpty { try consume(output) }
            isDone = offset == piece.count && output.count < Self.window
        }
    }

    private func nextWindow(flush: Int32) -> [UInt8] {
        unsafe [UInt8](unsafeUninitializedCapacity: Self.window) { buffer, filled in
            unsafe stream.pointee.next_out = buffer.baseAddress
            unsafe stream.pointee.avail_out = UInt32(Self.window)
            unsafe CZlib.deflate(stream, flush)
            filled = Self.window - Int(unsafe stream.pointee.avail_out)
        }
    }
}
