import Bytes

/// The IHDR chunk of a PNG file (PNG 11.2.1), with sizes that are safe to compute with.
struct PNGHeader: Equatable {
    enum Colour: UInt8 {
        case grey = 0
        case rgb = 2
        case palette = 3
        case greyAlpha = 4
        case rgbAlpha = 6

        var channels: Int {
            switch self {
            case .grey, .palette: 1
            case .greyAlpha: 2
            case .rgb: 3
            case .rgbAlpha: 4
            }
        }

        var hasAlpha: Bool { self == .greyAlpha || self == .rgbAlpha }

        var depths: [UInt8] {
            switch self {
            case .grey: [1, 2, 4, 8, 16]
            case .palette: [1, 2, 4, 8]
            case .rgb, .greyAlpha, .rgbAlpha: [8, 16]
            }
        }
    }

    let width: Int
    let height: Int
    /// Bytes of the decoded image: four per pixel.
    let rasterSize: BoundedCount
    /// Bits per sample.
    let depth: Int
    let colour: Colour
    let isInterlaced: Bool

    /// Whole bytes per pixel, at least 1: the distance to the left neighbour of a filter.
    var filterStep: Int { max(1, colour.channels * depth / 8) }

    /// Returns the bytes of a row of `width` pixels, without its filter byte.
    func rowSize(width: Int) -> Int { (width * colour.channels * depth + 7) / 8 }

    /// Bytes of the inflated image data: at most 8 per pixel, and 1 per row of a pass.
    var dataSize: BoundedCount {
        get throws(MalformedImage) {
            let size = passes.reduce(0) { $0 + $1.height * (1 + rowSize(width: $1.width)) }
            do throws(OversizedCount) {
                return try BoundedCount(
                    size,
                    atMost: rasterSize.value * 2 + passes.count * height,
                    of: "bytes",
                )
            } catch {
                throw .wrongDataSize(expected: size)
            }
        }
    }

    /// A grid of pixels that are stored together: the whole image, or one of Adam7's seven passes.
    struct Pass: Equatable {
        let width: Int
        let height: Int
        let left: Int
        let top: Int
        let across: Int
        let down: Int
    }

    /// The passes that contain pixels, in file order (PNG 8.2).
    var passes: [Pass] {
        guard isInterlaced else {
            return [Pass(width: width, height: height, left: 0, top: 0, across: 1, down: 1)]
        }
        let grids = [
            (0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2),
            (0, 1, 1, 2),
        ]
        return grids.compactMap { left, top, across, down in
            guard width > left, height > top else { return nil }
            return Pass(
                width: (width - left + across - 1) / across,
                height: (height - top + down - 1) / down,
                left: left,
                top: top,
                across: across,
                down: down,
            )
        }
    }
}

extension PNGHeader {
    /// The longest side of an image in pixels, which keeps all products of sizes far from overflow, and
    /// bounds the cost of scaling extreme shapes.
    static let longestSide = 4096

    init(reading body: ArraySlice<UInt8>, maxPixels: Int) throws(MalformedImage) {
        guard body.count == 13 else { throw .header("is not 13 bytes long") }
        var reader = ByteReader(body)
        let fields: (width: UInt32, height: UInt32, rest: [UInt8])
        do throws(MalformedBytes) {
            fields.width = try reader.bigEndian(UInt32.self, "image width")
            fields.height = try reader.bigEndian(UInt32.self, "image height")
            fields.rest = Array(try reader.bytes(5, "image format"))
        } catch {
            throw .malformed(error)
        }
        width = Int(fields.width)
        height = Int(fields.height)
        guard width > 0, height > 0 else { throw .header("has no pixels") }
        guard max(width, height) <= Self.longestSide else {
            throw .tooLong(width: width, height: height, longestSide: Self.longestSide)
        }
        do throws(OversizedCount) {
            rasterSize = try BoundedCount(4, width, height, atMost: 4 * maxPixels, of: "bytes")
        } catch {
            throw .tooLarge(width: width, height: height, maxPixels: maxPixels)
        }
        depth = Int(fields.rest[0])
        guard let colour = Colour(rawValue: fields.rest[1]),
            colour.depths.contains(fields.rest[0])
        else {
            throw .header("has colour type \(fields.rest[1]) at depth \(fields.rest[0])")
        }
        self.colour = colour
        guard fields.rest[2] == 0 else { throw .header("names an unknown compression") }
        guard fields.rest[3] == 0 else { throw .header("names an unknown set of filters") }
        guard fields.rest[4] <= 1 else { throw .header("names an unknown interlacing") }
        isInterlaced = fields.rest[4] == 1
    }
}
