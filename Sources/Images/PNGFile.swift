import Bytes

/// The chunks of a PNG file that determine its pixels.
struct PNGFile {
    static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    let header: PNGHeader
    /// Apple's variant, which starts with a `CgBI` chunk: raw deflate, BGR order, premultiplied alpha.
    let isApple: Bool
    /// Three bytes for each colour.
    let palette: [UInt8]
    /// The body of tRNS; empty if there is none.
    let transparency: [UInt8]
    /// The bodies of all IDAT chunks in order, still compressed.
    let data: [UInt8]
}

extension PNGFile {
    /// Reads the chunks up to IEND; bytes after it are not checked.
    init(reading bytes: [UInt8], maxPixels: Int) throws(MalformedImage) {
        guard bytes.starts(with: Self.signature) else { throw .notPNG }
        var reader = ByteReader(bytes[Self.signature.count...])
        var chunk = try Chunk(reading: &reader)
        isApple = chunk.type == "CgBI"
        if isApple { chunk = try Chunk(reading: &reader) }
        guard chunk.type == "IHDR" else { throw .missingChunk("IHDR") }
        let header = try PNGHeader(reading: chunk.body, maxPixels: maxPixels)
        var palette: [UInt8]?
        var transparency: [UInt8]?
        var data: [UInt8] = []
        var previous = chunk.type
        chunk = try Chunk(reading: &reader)
        while chunk.type != "IEND" {
            switch chunk.type {
            case "PLTE":
                guard palette == nil, data.isEmpty else { throw .misplacedChunk("PLTE") }
                palette = Array(chunk.body)
            case "tRNS":
                guard transparency == nil, data.isEmpty else { throw .misplacedChunk("tRNS") }
                transparency = Array(chunk.body)
            case "IDAT":
                guard data.isEmpty || previous == "IDAT" else { throw .misplacedChunk("IDAT") }
                data += chunk.body
            case "CgBI", "IHDR":
                throw .misplacedChunk(chunk.type)
            default:
                guard !chunk.isCritical else { throw .unknownChunk(chunk.type) }
            }
            previous = chunk.type
            chunk = try Chunk(reading: &reader)
        }
        guard !data.isEmpty else { throw .missingChunk("IDAT") }
        self.header = header
        self.palette = palette ?? []
        self.transparency = transparency ?? []
        self.data = data
        try checkColours()
    }

    private func checkColours() throws(MalformedImage) {
        guard header.colour == .palette else {
            let expected = header.colour == .grey ? 2 : 6
            guard
                transparency.isEmpty
                    || (!header.colour.hasAlpha && transparency.count == expected)
            else { throw .header("does not match this tRNS chunk") }
            return
        }
        guard !palette.isEmpty else { throw .missingChunk("PLTE") }
        guard palette.count.isMultiple(of: 3), palette.count <= 3 << header.depth,
            transparency.count <= palette.count / 3
        else { throw .header("does not match this palette") }
    }
}

/// One chunk (PNG 5.3), with a verified CRC if it is used.
private struct Chunk {
    let type: String
    let body: ArraySlice<UInt8>
    /// Bit 5 of the first letter is 0; chunks with a lower-case letter may be skipped.
    let isCritical: Bool

    init(reading reader: inout ByteReader) throws(MalformedImage) {
        let named: ArraySlice<UInt8>
        let checksum: UInt32
        do throws(MalformedBytes) {
            let length = Int(try reader.bigEndian(UInt32.self, "chunk length"))
            let start = reader.offset
            named = try reader.bytes(4 + length, "chunk")
            guard named.prefix(4).allSatisfy(Self.isLetter) else {
                throw MalformedBytes("chunk type", at: start, .invalid("is not four letters"))
            }
            checksum = try reader.bigEndian(UInt32.self, "chunk checksum")
        } catch {
            throw .malformed(error)
        }
        type = String(decoding: named.prefix(4), as: UTF8.self)
        body = named.dropFirst(4)
        isCritical = (named.first ?? 0) & 0x20 == 0
        guard !(isCritical || type == "tRNS") || Zlib.checksum(named) == checksum else {
            throw .checksum(chunk: type)
        }
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }
}
