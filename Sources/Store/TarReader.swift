import Bytes

/// The contents of a header.
struct TarEntry: Equatable {
    let path: String
    let size: Int
    /// The offset of the file's bytes.
    let offset: Int
    /// The offset of the next header.
    var next: Int { offset + size + Tar.padding(after: size).count }
}

/// Reads the output of ``Tar``: regular files only, from a medium that may be damaged.
struct TarReader {
    private let source: any ByteSource
    private let name: String
    private var position = 0

    /// Reads from the start; errors name the archive `name`.
    init(_ source: any ByteSource, named name: String) {
        self.source = source
        self.name = name
    }

    /// The next file; nil at the zero blocks at the end of the archive.
    mutating func next() throws(StoreFailure) -> TarEntry? {
        var longPath: String?
        while true {
            let block = try bytes(at: position, count: Tar.blockSize)
            if block.allSatisfy({ $0 == 0 }) { return nil }
            try check(block)
            let size = try number(block[124..<136], at: position)
            let start = position + Tar.blockSize
            guard size <= source.count - start else { throw damage(at: position) }
            let path =
                longPath ?? String(decoding: block[..<100].prefix { $0 != 0 }, as: UTF8.self)
            let entry = TarEntry(path: path, size: size, offset: start)
            position = entry.next
            switch block[156] {
            case UInt8(ascii: "0"):
                return entry
            case UInt8(ascii: "x") where longPath == nil && size <= 4096:
                longPath = try pathRecord(in: bytes(at: start, count: size), at: start)
            default:
                throw damage(at: start - Tar.blockSize)
            }
        }
    }

    func bytes(at offset: Int, count: Int) throws(StoreFailure) -> [UInt8] {
        do throws(SourceFailure) {
            return try source.bytes(at: offset, count: count)
        } catch {
            throw damage(at: offset)
        }
    }

    private func check(_ block: [UInt8]) throws(StoreFailure) {
        let spaces = [UInt8](repeating: UInt8(ascii: " "), count: 8)
        let sum = (block[..<148] + spaces + block[156...]).reduce(0) { $0 + Int($1) }
        guard try number(block[148..<155], at: position) == sum else {
            throw damage(at: position)
        }
    }

    private func number(_ field: ArraySlice<UInt8>, at offset: Int) throws(StoreFailure) -> Int {
        if field.first == 0x80 {
            let value = field.dropFirst().reduce(UInt64(0)) { $0 &<< 8 | UInt64($1) }
            guard let size = Int(exactly: value) else { throw damage(at: offset) }
            return size
        }
        let digits = String(
            decoding: field.prefix { $0 != 0 && $0 != UInt8(ascii: " ") },
            as: UTF8.self,
        )
        guard let value = Int(digits, radix: 8), value >= 0 else {
            throw damage(at: offset)
        }
        return value
    }

    private func pathRecord(in bytes: [UInt8], at offset: Int) throws(StoreFailure) -> String {
        let text = String(decoding: bytes, as: UTF8.self)
        guard let equals = text.firstIndex(of: "="), text[..<equals].hasSuffix(" path"),
            text.hasSuffix("\n")
        else { throw damage(at: offset) }
        return String(text[text.index(after: equals)...].dropLast())
    }

    private func damage(at offset: Int) -> StoreFailure {
        .badBackup(path: name, reason: "it is cut short or altered at byte \(offset)")
    }
}
