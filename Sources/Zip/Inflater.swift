import Bytes
import CZlib

/// A zlib state with its two windows, reused for several entries.
///
/// Created, used and freed inside ``withInflater(window:_:)``; it must not outlive that call.
@safe
struct Inflater: ~Copyable {
    private let stream: UnsafeMutablePointer<z_stream>
    private let input: UnsafeMutableRawBufferPointer
    private let output: UnsafeMutableRawBufferPointer
    private let window: Int

    fileprivate init(
        stream: UnsafeMutablePointer<z_stream>,
        input: UnsafeMutableRawBufferPointer,
        output: UnsafeMutableRawBufferPointer,
    ) {
        unsafe self.stream = stream
        unsafe self.input = input
        unsafe self.output = output
        window = output.count
    }

    /// Reads an entry in windows from start to end, and checks its size and CRC-32.
    ///
    /// - Parameters:
    ///   - entry: an entry of the archive in `source`.
    ///   - source: the source of its compressed bytes.
    ///   - fed: called with the number of compressed bytes after each read.
    ///   - body: receives each window, which is valid only during the call; false stops reading, and then
    ///     nothing is checked.
    /// - Throws: ``ZipRefusal`` about the contents, or when the source fails.
    func read(
        _ entry: ZipEntry,
        from source: any ByteSource,
        fed: (Int) -> Void = { _ in },
        _ body: (UnsafeRawBufferPointer) -> Bool,
    ) throws(ZipRefusal) {
        var contents = EntryContents(entry)
        let isWhole =
            switch entry.method {
            case .stored: try unsafe copy(&contents, from: source, fed: fed, body)
            case .deflated: try unsafe inflate(&contents, from: source, fed: fed, body)
            }
        if isWhole { try contents.prove() }
    }

    private func copy(
        _ contents: inout EntryContents,
        from source: any ByteSource,
        fed: (Int) -> Void,
        _ body: (UnsafeRawBufferPointer) -> Bool,
    ) throws(ZipRefusal) -> Bool {
        while !contents.isRead {
            let count = try unsafe contents.fill(output, from: source)
            fed(count)
            guard try unsafe contents.pass(output, count: count, to: body) else { return false }
        }
        return true
    }

    private func inflate(
        _ contents: inout EntryContents,
        from source: any ByteSource,
        fed: (Int) -> Void,
        _ body: (UnsafeRawBufferPointer) -> Bool,
    ) throws(ZipRefusal) -> Bool {
        // Folders and empty files may be marked as deflated without a deflate stream.
        guard contents.entry.compressedSize > 0 else { return true }
        unsafe inflateReset(stream)
        var pending = 0
        var filled = 0
        while true {
            if pending == 0 {
                pending = try unsafe contents.fill(input, from: source)
                unsafe stream.pointee.next_in = input.bindMemory(to: UInt8.self).baseAddress
                fed(pending)
            }
            // One byte more than the directory says, so that excess bytes are detected and never passed
            // on.
            let room = min(window - filled, contents.missing - filled + 1)
            let step = step(
                consuming: pending,
                at: filled,
                room: room,
                isLast: contents.isRead && contents.missing - filled < room,
            )
            pending = step.pending
            filled += step.made
            guard step.isEnd || step.isSound else {
                throw contents.refusal(.corruptDeflate, "the compressed data is damaged")
            }
            guard step.isEnd || step.made == room || pending > 0 || !contents.isRead else {
                throw contents.refusal(.corruptDeflate, "the compressed data ends early")
            }
            if step.isEnd || step.made == room {
                guard try unsafe contents.pass(output, count: filled, to: body) else {
                    return false
                }
                filled = 0
            }
            if step.isEnd { break }
        }
        let unused = contents.entry.compressedSize - contents.consumed + pending
        guard unused == 0 else {
            throw contents.refusal(
                .corruptDeflate,
                "\(unused.grouped) bytes follow the compressed data",
            )
        }
        return true
    }

    /// Calls zlib once.
    ///
    /// The last call, for which all input is available and all output fits, can use Z_FINISH and need not
    /// keep a copy of the last 32 KiB.
    private func step(
        consuming pending: Int,
        at filled: Int,
        room: Int,
        isLast: Bool,
    ) -> InflaterStep {
        unsafe stream.pointee.avail_in = UInt32(pending)
        unsafe stream.pointee.next_out =
            output.bindMemory(to: UInt8.self).baseAddress?.advanced(by: filled)
        unsafe stream.pointee.avail_out = UInt32(room)
        let status = unsafe CZlib.inflate(stream, isLast ? Z_FINISH : Z_NO_FLUSH)
        return InflaterStep(
            pending: Int(unsafe stream.pointee.avail_in),
            made: room - Int(unsafe stream.pointee.avail_out),
            isEnd: status == Z_STREAM_END,
            isSound: status == Z_OK || status == Z_BUF_ERROR,
        )
    }
}

/// The result of one call of zlib.
private struct InflaterStep {
    /// The number of input bytes not consumed yet.
    let pending: Int
    let made: Int
    let isEnd: Bool
    let isSound: Bool
}

/// Creates an ``Inflater``, passes it to `body` and frees it.
///
/// - Parameters:
///   - window: the size of each of the two windows in bytes.
///   - body: uses the inflater for any number of entries.
/// - Returns: the result of `body`.
/// - Throws: errors of `body`, or ``ZipRule/unreadable`` when memory runs out.
func withInflater<Value>(
    window: Int,
    _ body: (borrowing Inflater) throws(ZipRefusal) -> Value,
) throws(ZipRefusal) -> Value {
    let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    defer { unsafe stream.deallocate() }
    unsafe stream.initialize(to: z_stream())
    let status = unsafe inflateInit2_(
        stream,
        -MAX_WBITS,
        ZLIB_VERSION,
        Int32(MemoryLayout<z_stream>.size),
    )
    guard status == Z_OK else {
        throw ZipRefusal(.unreadable, at: ZipRefusal.directory, "no memory to inflate")
    }
    defer { unsafe inflateEnd(stream) }
    let input = UnsafeMutableRawBufferPointer.allocate(byteCount: window, alignment: 64)
    defer { unsafe input.deallocate() }
    let output = UnsafeMutableRawBufferPointer.allocate(byteCount: window, alignment: 64)
    defer { unsafe output.deallocate() }
    return try body(unsafe Inflater(stream: stream, input: input, output: output))
}
