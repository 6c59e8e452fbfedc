#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

extension Collection<UInt8> {
    /// The first range with the bytes of `part`; `memchr` finds the candidates, many bytes at a time.
    ///
    /// - Parameter part: the bytes to find, a few; an empty one is found at the start.
    /// - Returns: the range; nil if there is none.
    package func firstRange(ofBytes part: some Collection<UInt8>) -> Range<Index>? {
        let found = withContiguousStorageIfAvailable { bytes in
            part.withContiguousStorageIfAvailable { unsafe Self.offset(of: $0, in: bytes) }
        }
        guard let found, let found else {
            return Array(self).firstRange(of: Array(part)).map { place(at: $0.lowerBound, part) }
        }
        return found < 0 ? nil : place(at: found, part)
    }

    private func place(at offset: Int, _ part: some Collection<UInt8>) -> Range<Index> {
        let start = index(startIndex, offsetBy: offset)
        return start..<index(start, offsetBy: part.count)
    }

    /// - Returns: -1 if there is none.
    private static func offset(
        of part: UnsafeBufferPointer<UInt8>,
        in bytes: UnsafeBufferPointer<UInt8>,
    ) -> Int {
        guard let wanted = part.baseAddress, let first = unsafe part.first else { return 0 }
        guard let start = bytes.baseAddress else { return -1 }
        var offset = 0
        while bytes.count - offset >= part.count {
            let count = bytes.count - offset - part.count + 1
            guard let found = unsafe memchr(start + offset, CInt(first), count) else { return -1 }
            offset = unsafe UnsafeRawPointer(found) - UnsafeRawPointer(start)
            if unsafe memcmp(start + offset, wanted, part.count) == 0 { return offset }
            offset += 1
        }
        return -1
    }
}
