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
    let stream = try DeflateStream()
    while let piece = try next() {
        try unsafe piece.withUnsafeBytes { try unsafe stream.take($0, into: consume) }
    }
    try stream.finish(into: consume)
}

/// One raw deflate stream that is being made.
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

    /// Feeds one piece and hands on whatever zlib gives for it.
    func take(
        _ piece: UnsafeRawBufferPointer,
        into consume: ([UInt8]) throws -> Void,
    ) throws {
        try unsafe run(piece, flush: Z_NO_FLUSH, into: consume)
    }

    /// Hands on the end of the stream; nothing can be taken afterwards.
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
            // zlib counts in 32 bits, and its pointer is not const though it never writes there.
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
