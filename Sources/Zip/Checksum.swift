import CZlib

/// Whether the processor has carry-less multiplication; checked once.
private let isFolding = ota_crc32_folds() != 0

/// Continues a CRC-32 over more bytes.
func crc32(_ checksum: UInt32, over bytes: [UInt8]) -> UInt32 {
    unsafe bytes.withUnsafeBytes { unsafe crc32(checksum, over: $0) }
}

/// Continues a CRC-32 over bytes in memory.
///
/// Uses carry-less multiplication on 16 bytes at a time where the processor supports it; zlib computes
/// the rest.
package func crc32(_ checksum: UInt32, over bytes: UnsafeRawBufferPointer) -> UInt32 {
    guard let start = unsafe bytes.bindMemory(to: UInt8.self).baseAddress else { return checksum }
    let count = isFolding && bytes.count >= 64 ? bytes.count & ~15 : 0
    let folded = count == 0 ? checksum : ~(unsafe ota_crc32_folded(~checksum, start, count))
    guard count < bytes.count else { return folded }
    let rest = unsafe crc32_z(UInt(folded), start + count, bytes.count - count)
    return UInt32(truncatingIfNeeded: rest)
}
