import Bytes

/// A signature, parsed by code that shares nothing with the writer.
struct EmbeddedSignature {
    struct Directory {
        let bytes: [UInt8]
        let version: UInt32
        let flags: UInt32
        let hashOffset: Int
        let identifier: String
        let team: String?
        let slots: Int
        let pages: Int
        let codeLimit: Int
        let hashSize: Int
        let hashType: UInt8
        let pageSizeLog2: UInt8
        let executableSegment: (base: UInt64, limit: UInt64, flags: UInt64)?

        /// The digest of a page; -k stands for special slot k.
        func digest(_ index: Int) -> [UInt8] {
            let start = hashOffset + index * hashSize
            return Array(bytes[start..<start + hashSize])
        }
    }

    let code: [UInt8]
    let magicOfBlob: [UInt32: UInt32]
    let blobs: [UInt32: [UInt8]]
    let order: [UInt32]

    /// Nil for a slice without LC_CODE_SIGNATURE.
    init?(of slice: [UInt8]) throws {
        var reader = ByteReader(slice)
        let is64Bit = try reader.littleEndian(UInt32.self, "magic") == 0xfeed_facf
        try reader.skip(12, "type")
        let count = try reader.littleEndian(UInt32.self, "commands")
        try reader.skip(is64Bit ? 12 : 8, "flags")
        var place: (Int, Int)?
        for _ in 0..<count {
            let start = reader.offset
            let command = try reader.littleEndian(UInt32.self, "command")
            let size = try reader.littleEndian(UInt32.self, "size")
            if command == 0x1d {
                place = (
                    Int(try reader.littleEndian(UInt32.self, "offset")),
                    Int(try reader.littleEndian(UInt32.self, "size")),
                )
            }
            try reader.seek(to: start + Int(size), "next command")
        }
        guard let (offset, size) = place else { return nil }
        code = Array(slice[..<offset])
        let super_ = Array(slice[offset..<offset + size])
        var index = ByteReader(super_)
        try index.skip(8, "magic and length")
        var blobs: [UInt32: [UInt8]] = [:]
        var magics: [UInt32: UInt32] = [:]
        var order: [UInt32] = []
        for _ in 0..<(try index.bigEndian(UInt32.self, "count")) {
            let slot = try index.bigEndian(UInt32.self, "slot")
            let start = Int(try index.bigEndian(UInt32.self, "offset"))
            var blob = ByteReader(super_)
            try blob.seek(to: start, "blob")
            magics[slot] = try blob.bigEndian(UInt32.self, "magic")
            let length = Int(try blob.bigEndian(UInt32.self, "length"))
            blobs[slot] = Array(super_[start..<start + length])
            order.append(slot)
        }
        self.blobs = blobs
        self.order = order
        magicOfBlob = magics
    }

    func directory(_ slot: UInt32 = 0) throws -> Directory {
        let bytes = blobs[slot] ?? []
        func word(_ offset: Int) throws -> Int {
            var reader = ByteReader(bytes)
            try reader.seek(to: offset, "field")
            return Int(try reader.bigEndian(UInt32.self, "field"))
        }
        func long(_ offset: Int) throws -> UInt64 {
            var reader = ByteReader(bytes)
            try reader.seek(to: offset, "field")
            return try reader.bigEndian(UInt64.self, "field")
        }
        func text(_ offset: Int) -> String {
            String(decoding: bytes[offset...].prefix { $0 != 0 }, as: UTF8.self)
        }
        let version = try word(8)
        let team = version >= 0x20200 ? try word(48) : 0
        return Directory(
            bytes: bytes,
            version: UInt32(version),
            flags: UInt32(try word(12)),
            hashOffset: try word(16),
            identifier: text(try word(20)),
            team: team == 0 ? nil : text(team),
            slots: try word(24),
            pages: try word(28),
            codeLimit: try word(32),
            hashSize: Int(bytes[36]),
            hashType: bytes[37],
            pageSizeLog2: bytes[39],
            executableSegment: version >= 0x20400
                ? (try long(64), try long(72), try long(80)) : nil,
        )
    }
}
