@testable import Images

/// Writes PNG files of every form, bit by bit according to the specification, for the reader's tests.
struct PNGBuilder {
    var width = 9
    var height = 11
    var depth = 8
    var colour = PNGHeader.Colour.rgbAlpha
    var isInterlaced = false
    var isApple = false
    var palette: [UInt8] = []
    var transparency: [UInt8] = []
    /// The size of the chunks into which the image data is split, in bytes.
    var dataChunkSize = 1 << 20
    /// The filters of the rows, used in turn.
    var filters: [UInt8] = [0, 1, 2, 3, 4]
    var sample: (_ x: Int, _ y: Int, _ channel: Int) -> Int = { _, _, _ in 0 }

    var headerBody: [UInt8] {
        Self.number(width) + Self.number(height)
            + [UInt8(depth), colour.rawValue, 0, 0, isInterlaced ? 1 : 0]
    }

    /// The whole file.
    func bytes() -> [UInt8] {
        var deflated = Zlib.deflate(data())
        if isApple { deflated = Array(deflated.dropFirst(2).dropLast(4)) }
        var file = PNGFile.signature
        if isApple { file += Self.chunk("CgBI", [0x50, 0, 0x20, 2]) }
        file += Self.chunk("IHDR", headerBody)
        if !palette.isEmpty { file += Self.chunk("PLTE", palette) }
        if !transparency.isEmpty { file += Self.chunk("tRNS", transparency) }
        for start in stride(from: 0, to: deflated.count, by: dataChunkSize) {
            let end = min(start + dataChunkSize, deflated.count)
            file += Self.chunk("IDAT", Array(deflated[start..<end]))
        }
        return file + Self.chunk("IEND", [])
    }

    /// The image data before compression.
    func data() -> [UInt8] {
        guard isInterlaced else { return pass(0, 0, 1, 1) }
        return pass(0, 0, 8, 8) + pass(4, 0, 8, 8) + pass(0, 4, 4, 8) + pass(2, 0, 4, 4)
            + pass(0, 2, 2, 4) + pass(1, 0, 2, 2) + pass(0, 1, 1, 2)
    }

    private func pass(_ left: Int, _ top: Int, _ across: Int, _ down: Int) -> [UInt8] {
        guard left < width else { return [] }
        var result: [UInt8] = []
        var above: [UInt8] = []
        for (index, y) in stride(from: top, to: height, by: down).enumerated() {
            let row = packed(stride(from: left, to: width, by: across).map { ($0, y) })
            let filter = filters[index % filters.count]
            result.append(filter)
            let step = max(1, colour.channels * depth / 8)
            for at in row.indices {
                let a = at >= step ? Int(row[at - step]) : 0
                let b = above.isEmpty ? 0 : Int(above[at])
                let c = above.isEmpty || at < step ? 0 : Int(above[at - step])
                let guess = Self.prediction(filter, a, b, c)
                result.append(UInt8(truncatingIfNeeded: Int(row[at]) - guess))
            }
            above = row
        }
        return result
    }

    private func packed(_ places: [(x: Int, y: Int)]) -> [UInt8] {
        var bits: [UInt8] = []
        for place in places {
            for channel in 0..<colour.channels {
                let value = sample(place.x, place.y, channel)
                bits += (0..<depth).reversed().map { UInt8(value >> $0 & 1) }
            }
        }
        while !bits.count.isMultiple(of: 8) { bits.append(0) }
        return stride(from: 0, to: bits.count, by: 8).map { start in
            bits[start..<start + 8].reduce(0) { $0 << 1 | $1 }
        }
    }

    private static func prediction(_ filter: UInt8, _ a: Int, _ b: Int, _ c: Int) -> Int {
        switch filter {
        case 1: return a
        case 2: return b
        case 3: return (a + b) / 2
        case 4:
            let p = a + b - c
            let distances = [abs(p - a), abs(p - b), abs(p - c)]
            return [a, b, c][distances.firstIndex(of: distances.min() ?? 0) ?? 0]
        default: return 0
        }
    }

    static func number(_ value: Int) -> [UInt8] {
        (0..<4).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }

    static func chunk(_ type: String, _ body: [UInt8]) -> [UInt8] {
        let named = Array(type.utf8) + body
        return number(body.count) + named + number(Int(Zlib.checksum(named[...])))
    }
}

extension PNGBuilder {
    /// A raster in Apple's form: blue before red, and premultiplied alpha.
    static func apple(_ raster: Raster) -> PNGBuilder {
        var builder = PNGBuilder()
        builder.width = raster.width
        builder.height = raster.height
        builder.isApple = true
        builder.sample = { x, y, channel in
            let pixel = (y * raster.width + x) * 4
            let alpha = Int(raster.pixels[pixel + 3])
            if channel == 3 { return alpha }
            return (Int(raster.pixels[pixel + 2 - channel]) * alpha + 127) / 255
        }
        return builder
    }
}
