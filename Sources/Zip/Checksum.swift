import CZlib

/// Whether the processor multiplies polynomials; found out once.
private let isFolding = ota_crc32_folds() != 0

/// Continues a CRC-32 over more bytes.
func crc32(_ checksum: UInt32, over bytes: [UInt8]) -> UInt32 {
    unsafe bytes.withUnsafeBytes { unsafe crc32(checksum, over: $0) }
}

/// Continues a CRC-32 over more bytes, which are somewhere in memory.
///
/// Sixteen bytes at a time where the processor can; zlib does the rest.
package func crc32(_ checksum: UInt32, over bytes: UnsafeRawBufferPointer) -> UInt32 {
    guard let start = unsafe bytes.bindMemory(to: UInt8.self).baseAddress else { return checksum }
    let count = isFolding && bytes.count >= 64 ? bytes.count & ~15 : 0
    let folded = count == 0 ? checksum : ~(unsafe ota_crc32_folded(~checksum, start, count))
    guard count < bytes.count else { return folded }
    let rest = unsafe crc32_z(UInt(folded), start + count, bytes.count - count)
    return UInt32(truncatingIfNeeded: rest)
}
