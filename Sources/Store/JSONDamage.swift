/// Finds where a document stops being valid JSON, for the person who has to fix it.
///
/// On Linux, `JSONDecoder` reports what is wrong but not where.
enum JSONDamage {
    /// The offset of the first unexpected byte, the number of bytes if the document ends too early, or nil
    /// if it is valid JSON.
    static func offset(in bytes: [UInt8]) -> Int? {
        var scanner = Scanner(bytes: bytes)
        guard scanner.value(depth: 0) else { return scanner.position }
        scanner.spaces()
        return scanner.position == bytes.count ? nil : scanner.position
    }

    /// Scans JSON (RFC 8259) without keeping values.
    private struct Scanner {
        let bytes: [UInt8]
        var position = 0

        private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

        mutating func value(depth: Int) -> Bool {
            guard depth < 512 else { return false }
            spaces()
            switch next {
            case UInt8(ascii: "{"): return members(depth: depth)
            case UInt8(ascii: "["): return elements(depth: depth)
            case UInt8(ascii: "\""): return string()
            case UInt8(ascii: "t"): return word("true")
            case UInt8(ascii: "f"): return word("false")
            case UInt8(ascii: "n"): return word("null")
            default: return number()
            }
        }

        mutating func spaces() {
            while let byte = next, " \t\r\n".utf8.contains(byte) { position += 1 }
        }

        private mutating func take(_ byte: UInt8) -> Bool {
            guard next == byte else { return false }
            position += 1
            return true
        }

        private mutating func members(depth: Int) -> Bool {
            position += 1
            spaces()
            if take(UInt8(ascii: "}")) { return true }
            repeat {
                spaces()
                guard next == UInt8(ascii: "\""), string() else { return false }
                spaces()
                guard take(UInt8(ascii: ":")), value(depth: depth + 1) else { return false }
                spaces()
            } while take(UInt8(ascii: ","))
            return take(UInt8(ascii: "}"))
        }

        private mutating func elements(depth: Int) -> Bool {
            position += 1
            spaces()
            if take(UInt8(ascii: "]")) { return true }
            repeat {
                guard value(depth: depth + 1) else { return false }
                spaces()
            } while take(UInt8(ascii: ","))
            return take(UInt8(ascii: "]"))
        }

        private mutating func string() -> Bool {
            position += 1
            while let byte = next {
                guard byte >= 0x20 else { return false }
                position += 1
                if byte == UInt8(ascii: "\"") { return true }
                if byte == UInt8(ascii: "\\") {
                    guard next != nil else { return false }
                    position += 1
                }
            }
            return false
        }

        private mutating func word(_ word: StaticString) -> Bool {
            for byte in word.description.utf8 {
                guard take(byte) else { return false }
            }
            return true
        }

        private mutating func number() -> Bool {
            let start = position
            while let byte = next, "+-.0123456789eE".utf8.contains(byte) { position += 1 }
            return position > start
        }
    }
}
