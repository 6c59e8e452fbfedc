/// Limits the number of elements for a parser.
///
/// The parser keeps a record of each element, which is fifty times the two bytes of the smallest element,
/// so megabytes of empty elements must be refused before parsing.
package enum ElementCount {
    /// Counts headers in one pass; malformed bytes end it and are left to the parser.
    package static func isAtMost(_ limit: Int, in bytes: [UInt8]) -> Bool {
        var position = 0
        var count = 0
        while position < bytes.count {
            count += 1
            guard count <= limit else { return false }
            let isConstructed = bytes[position] & 0x20 != 0
            if bytes[position] & 0x1f == 0x1f {
                repeat { position += 1 } while position < bytes.count && bytes[position] & 0x80 != 0
            }
            position += 1
            guard position < bytes.count else { return true }
            let first = Int(bytes[position])
            position += 1
            var length = first
            if first > 0x80 {
                // The parser accepts up to eight length bytes, including superfluous zeroes.
                guard first - 0x80 <= min(8, bytes.count - position) else { return true }
                let digits = bytes[position..<position + first - 0x80]
                length = Int(clamping: digits.reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
                position += first - 0x80
            } else if first == 0x80 {
                length = 0
            }
            guard !isConstructed else { continue }
            guard length <= bytes.count - position else { return true }
            position += length
        }
        return true
    }
}
