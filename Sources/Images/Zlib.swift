import Bytes
import CZlib

/// Calls into zlib; each creates, uses and frees its own stream.
enum Zlib {
    enum Wrapping: Int32 {
        /// RFC 1950: two bytes of header, Adler-32 at the end.
        case zlib = 15
        /// Raw RFC 1951, as in Apple's variant of PNG.
        case none = -15
    }

    /// Deflate's greatest expansion; a greater claim is refused before memory is allocated.
    private static let largestRatio = 1032

    /// Inflates to exactly `size` bytes; bytes after the end of the stream are not checked.
    static func inflate(
        _ input: [UInt8],
        _ wrapping: Wrapping,
        toExactly size: BoundedCount,
    ) throws(MalformedImage) -> [UInt8] {
        let count = size.value
        guard count / largestRatio <= input.count,
            let available = UInt32(exactly: input.count), let wanted = UInt32(exactly: count)
        else { throw .wrongDataSize(expected: count) }
        var status = Z_STREAM_ERROR
        let output = unsafe [UInt8](uninitialized: size) { buffer, filled in
            unsafe input.withUnsafeBufferPointer { source in
                var stream = unsafe z_stream()
                unsafe stream.next_in = UnsafeMutablePointer(mutating: source.baseAddress)
                unsafe stream.avail_in = available
                unsafe stream.next_out = buffer.baseAddress
                unsafe stream.avail_out = wanted
                let size = Int32(unsafe MemoryLayout<z_stream>.size)
                status = unsafe inflateInit2_(&stream, wrapping.rawValue, ZLIB_VERSION, size)
                guard status == Z_OK else { return }
                defer { unsafe inflateEnd(&stream) }
                status = unsafe CZlib.inflate(&stream, Z_FINISH)
                filled = count - Int(unsafe stream.avail_out)
            }
        }
        switch status {
        case Z_STREAM_END where output.count == count: return output
        case Z_STREAM_END, Z_BUF_ERROR, Z_OK: throw .wrongDataSize(expected: count)
        default: throw .corruptData
        }
    }

    /// Deflates with a zlib header; the same input gives the same output.
    ///
    /// The strongest level takes six times as long for an icon, and saves 4 % of its bytes.
    static func deflate(_ input: [UInt8]) -> [UInt8] {
        let bound = Int(compressBound(UInt(input.count)))
        return unsafe [UInt8](unsafeUninitializedCapacity: bound) { buffer, filled in
            var length = UInt(bound)
            let status = unsafe compress2(
                buffer.baseAddress,
                &length,
                input,
                UInt(input.count),
                Z_DEFAULT_COMPRESSION,
            )
            filled = status == Z_OK ? Int(length) : 0
        }
    }

    /// Returns the CRC-32 that ends a PNG chunk.
    static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        unsafe bytes.withUnsafeBufferPointer { buffer in
            UInt32(truncatingIfNeeded: unsafe crc32_z(0, buffer.baseAddress, buffer.count))
        }
    }
}
