import Bytes

/// Turns bytes into the PNG that a program would have written.
///
/// Checksums and compression would make nearly every change fail at once, so a changed file is checked as it
/// is and with these corrected, as an attacker would do too.
struct PNGRepair {
    private let chunks: [(type: [UInt8], body: [UInt8])]

    /// Splits bytes into chunks; if the last one claims too much, it gets the rest.
    init(_ bytes: [UInt8]) {
        var chunks: [(type: [UInt8], body: [UInt8])] = []
        var reader = ByteReader(bytes.dropFirst(PNGRepair.signature.count))
        while let length = accepted({ () throws(MalformedBytes) in
            Int(try reader.bigEndian(UInt32.self, "length"))
        }),
            let type = accepted({ () throws(MalformedBytes) in
                Array(try reader.bytes(4, "type"))
            })
        {
            let count = min(length, reader.remaining)
            let body = accepted { () throws(MalformedBytes) in try reader.bytes(count, "body") }
            chunks.append((type, Array(body ?? [])))
            _ = accepted { () throws(MalformedBytes) in try reader.bytes(4, "checksum") }
        }
        self.chunks = chunks
    }

    /// The file with the correct checksum after each chunk.
    var withChecksums: [UInt8] { Self.file(chunks) }

    /// The file with the contents of the data chunks used as raw rows.
    var withRows: [UInt8] { file(holding: rows) }

    /// The same with the rows repeated until the image has the height in its header.
    ///
    /// - Returns: nil for more than `limit` bytes, or without a valid header.
    func withAllRows(atMost limit: Int) -> [UInt8]? {
        let rows = rows
        guard let header = chunks.first(where: { $0.type == Array("IHDR".utf8) })?.body,
            header.count == 13, header[12] == 0, !rows.isEmpty
        else { return nil }
        let sides = [0, 4].map { start in header[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
        }
        let channels = [0: 1, 2: 3, 3: 1, 4: 2, 6: 4][header[9]] ?? 1
        guard sides.allSatisfy({ (1...1 << 24).contains($0) }), header[8] <= 16 else { return nil }
        let rowSize = (sides[0] * channels * Int(header[8]) + 7) / 8 + 1
        guard sides[1] <= limit / rowSize else { return nil }
        var all: [UInt8] = []
        all.reserveCapacity(rowSize * sides[1] + rows.count)
        while all.count < rowSize * sides[1] { all += rows }
        all.removeLast(all.count - rowSize * sides[1])
        for start in stride(from: 0, to: all.count, by: rowSize) { all[start] %= 5 }
        return file(holding: all)
    }

    private var rows: [UInt8] { chunks.filter { $0.type == Array("IDAT".utf8) }.flatMap(\.body) }

    private func file(holding rows: [UInt8]) -> [UInt8] {
        let isApple = chunks.first?.type == Array("CgBI".utf8)
        let data = Array("IDAT".utf8)
        guard let place = chunks.firstIndex(where: { $0.type == data }) else { return [] }
        var repaired = chunks.filter { $0.type != data }
        let stream = Self.stored(rows)
        let body = isApple ? stream : [0x78, 0x01] + stream + Self.adler32(rows)
        repaired.insert((data, body), at: min(place, repaired.count))
        return Self.file(repaired)
    }

    static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    static func file(_ chunks: [(type: [UInt8], body: [UInt8])]) -> [UInt8] {
        var writer = ByteWriter()
        writer.append(signature)
        for (type, body) in chunks {
            writer.bigEndian(UInt32(body.count))
            writer.append(type + body)
            writer.bigEndian(crc32(type + body))
        }
        return writer.bytes
    }

    /// Deflate without compression (RFC 1951, section 3.2.4).
    private static func stored(_ bytes: [UInt8]) -> [UInt8] {
        var stream: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 0xFFFF) {
            let block = bytes[start..<min(start + 0xFFFF, bytes.count)]
            let count = UInt16(block.count)
            stream += [0, UInt8(count & 0xFF), UInt8(count >> 8)]
            stream += [UInt8(~count & 0xFF), UInt8(~count >> 8)] + block
        }
        return stream + [1, 0, 0, 0xFF, 0xFF]
    }

    private static func adler32(_ bytes: [UInt8]) -> [UInt8] {
        var (low, high): (UInt32, UInt32) = (1, 0)
        for byte in bytes {
            low = (low + UInt32(byte)) % 65_521
            high = (high + low) % 65_521
        }
        var writer = ByteWriter()
        writer.bigEndian(high << 16 | low)
        return writer.bytes
    }

    static func crc32(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(UInt32.max) { sum, byte in
            table[Int((sum ^ UInt32(byte)) & 0xFF)] ^ sum >> 8
        }
    }

    private static let table: [UInt32] = (0..<256).map { (index: UInt32) in
        (0..<8).reduce(index) { value, _ in
            value & 1 == 1 ? 0xEDB8_8320 ^ value >> 1 : value >> 1
        }
    }
}
