import TestSupport
import Testing

@testable import Images

struct ReadingPNGTests {
    private struct Form: CustomTestStringConvertible {
        let colour: PNGHeader.Colour
        let depth: Int
        let isInterlaced: Bool

        var testDescription: String {
            "\(colour), depth \(depth)\(isInterlaced ? ", interlaced" : "")"
        }
    }

    private static let forms = [PNGHeader.Colour.grey, .rgb, .palette, .greyAlpha, .rgbAlpha]
        .flatMap { colour in
            colour.depths.flatMap { depth in
                [false, true].map {
                    Form(colour: colour, depth: Int(depth), isInterlaced: $0)
                }
            }
        }

    @Test(arguments: forms)
    private func `every colour type and depth is read, in order and interlaced`(
        form: Form
    ) throws {
        var builder = PNGBuilder()
        builder.colour = form.colour
        builder.depth = form.depth
        builder.isInterlaced = form.isInterlaced
        builder.dataChunkSize = 5
        let largest = 1 << form.depth - 1
        let sample = { (x: Int, y: Int, channel: Int) in
            (x * 5 + y * 77 + channel * 1031 + x * y) & largest
        }
        builder.sample = sample
        if form.colour == .palette {
            for index in 0...UInt8(largest) {
                builder.palette += [index, 255 - index, index &* 7]
            }
            builder.transparency = [0, 128]
        }
        for width in [1, 2, 5, 9, 17] {
            builder.width = width
            let raster = try Raster(png: builder.bytes())
            try #require(raster.width == width && raster.height == builder.height)
            for y in 0..<raster.height {
                for x in 0..<width {
                    let value = { (channel: Int) in
                        let exact = Double(sample(x, y, channel)) * 255 / Double(largest)
                        return UInt8(exact.rounded())
                    }
                    let expected: [UInt8] =
                        switch form.colour {
                        case .grey: [value(0), value(0), value(0), 255]
                        case .greyAlpha: [value(0), value(0), value(0), value(1)]
                        case .rgb: [value(0), value(1), value(2), 255]
                        case .rgbAlpha: [value(0), value(1), value(2), value(3)]
                        case .palette:
                            builder.palette[sample(x, y, 0) * 3..<sample(x, y, 0) * 3 + 3]
                                + [sample(x, y, 0) < 2 ? [0, 128][sample(x, y, 0)] : 255]
                        }
                    try #require(raster.pixel(x, y) == expected)
                }
            }
        }
    }

    @Test(arguments: 1...16)
    func `an interlaced image of any small size has all of its pixels`(height: Int) throws {
        for width in 1...16 {
            var builder = PNGBuilder(width: width, height: height, isInterlaced: true)
            builder.sample = { x, y, channel in channel == 3 ? 255 : x * 16 + y + channel }
            let interlaced = try Raster(png: builder.bytes())
            builder.isInterlaced = false
            #expect(try Raster(png: builder.bytes()) == interlaced)
        }
    }

    @Test func `one grey or colour is transparent where tRNS names it`() throws {
        var grey = PNGBuilder(width: 4, height: 1, depth: 2, colour: .grey)
        grey.transparency = [0, 2]
        grey.sample = { x, _, _ in x }
        #expect(
            try Raster(png: grey.bytes()).pixels == [
                0, 0, 0, 255, 85, 85, 85, 255, 170, 170, 170, 0, 255, 255, 255, 255,
            ]
        )
        var colour = PNGBuilder(width: 2, height: 1, depth: 16, colour: .rgb)
        colour.transparency = [1, 0, 2, 0, 3, 1]
        colour.sample = { x, _, channel in (channel + 1) << 8 | (channel == 2 ? x : 0) }
        let raster = try Raster(png: colour.bytes())
        // The two differ only in bits that 8-bit samples drop.
        #expect(raster.pixels == [1, 2, 3, 255, 1, 2, 3, 0])
    }

    @Test func `Apple's form has its colours put right`() throws {
        let original = try Rasters.cloudy(31, 17)
        let read = try Raster(png: PNGBuilder.apple(original).bytes())
        for (index, value) in original.pixels.enumerated() {
            let alpha = Int(original.pixels[index / 4 * 4 + 3])
            guard index % 4 != 3 else {
                #expect(read.pixels[index] == value)
                continue
            }
            // Premultiplying by a small alpha loses precision that cannot be restored.
            let tolerance = alpha == 0 ? 255 : 255 / (2 * alpha) + 1
            #expect(abs(Int(read.pixels[index]) - Int(value)) <= tolerance)
        }
        let opaque = try Rasters.cloudy(8, 8, opaque: true)
        #expect(try Raster(png: PNGBuilder.apple(opaque).bytes()) == opaque)
    }

    @Test func `chunks that may be skipped are skipped, even with a wrong checksum`() throws {
        let file = PNGBuilder().bytes()
        var text = PNGBuilder.chunk("tEXt", Array("a".utf8))
        text[text.count - 1] ^= 1
        #expect(try Raster(png: file[..<33] + text + file[33...]) == Raster(png: file))
    }

    @Test(
        .enabled(if: Fixtures.arePresent, "needs the real files of OTA_FIXTURES"),
        arguments: Fixtures.items(ofKind: "png-cgbi"),
    )
    func `an icon from Apple's tools is read`(item: Fixtures.Item) throws {
        let raster = try Raster(png: item.bytes())
        #expect(raster.pixels.contains { $0 != 0 })
        #expect(try Raster(png: raster.png()) == raster)
    }
}
