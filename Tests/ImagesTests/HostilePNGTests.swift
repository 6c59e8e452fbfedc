import Bytes
import TestSupport
import Testing

@testable import Images

struct HostilePNGTests {
    private static func refusal(of bytes: [UInt8]) -> MalformedImage? {
        do throws(MalformedImage) {
            _ = try Raster(png: bytes)
            return nil
        } catch {
            return error
        }
    }

    private static func file(_ chunks: [UInt8]...) -> [UInt8] {
        PNGFile.signature + chunks.joined()
    }

    private static let header = PNGBuilder.chunk("IHDR", PNGBuilder().headerBody)
    private static let end = PNGBuilder.chunk("IEND", [])

    private static func data(_ bytes: [UInt8]) -> [UInt8] {
        PNGBuilder.chunk("IDAT", Zlib.deflate(bytes))
    }

    @Test(arguments: [(2049, 2048), (4096, 1025), (1025, 4096)])
    func `too many pixels are refused by the header alone`(width: Int, height: Int) {
        check(
            width,
            height,
            .tooLarge(width: width, height: height, maxPixels: Raster.maxIconPixels),
        )
    }

    /// A picture of 1 × 4,194,304 has no more pixels than an icon may have, and once took 34 GB to scale.
    @Test(
        arguments: [
            (65535, 65535), (1 << 31, 1 << 31), (4_294_967_295, 1), (1, 4_194_304), (4_194_304, 1),
            (4097, 1), (1, 4097),
        ]
    )
    func `a side that no icon has is refused by the header alone`(width: Int, height: Int) {
        check(width, height, .tooLong(width: width, height: height, longestSide: 4096))
    }

    private func check(_ width: Int, _ height: Int, _ refusal: MalformedImage) {
        let builder = PNGBuilder(width: width, height: height)
        let bytes = Self.file(
            PNGBuilder.chunk("IHDR", builder.headerBody),
            PNGBuilder.chunk("IDAT", [1, 2, 3]),
            Self.end,
        )
        let time = processorTime { #expect(Self.refusal(of: bytes) == refusal) }
        #expect(time < .milliseconds(100))
    }

    @Test func `a claim that deflate cannot keep takes no memory`() {
        let builder = PNGBuilder(width: 2048, height: 2048, depth: 16)
        let bytes = Self.file(
            PNGBuilder.chunk("IHDR", builder.headerBody),
            Self.data([0]),
            Self.end,
        )
        #expect(Self.refusal(of: bytes) == .wrongDataSize(expected: 2048 * (1 + 2048 * 8)))
    }

    @Test(arguments: [-1, 1, 1000])
    func `data of another size than the header asks for is refused`(difference: Int) {
        let size = 11 * (1 + 9 * 4)
        let bytes = Self.file(
            Self.header,
            Self.data([UInt8](repeating: 0, count: size + difference)),
            Self.end,
        )
        #expect(Self.refusal(of: bytes) == .wrongDataSize(expected: size))
    }

    @Test func `each way out of the format has its name`() {
        let builder = PNGBuilder()
        let image = Self.data(builder.data())
        var damaged = image
        damaged[damaged.count - 1] ^= 1
        var filter = builder.data()
        filter[0] = 5
        let palette = PNGBuilder(width: 1, height: 1, colour: .palette)
        let paletteHeader = PNGBuilder.chunk("IHDR", palette.headerBody)
        let threeColours = PNGBuilder.chunk("PLTE", [UInt8](repeating: 9, count: 9))
        let cases: [([UInt8], MalformedImage)] = [
            ([], .notPNG),
            (Array("GIF89a".utf8), .notPNG),
            (Self.file(image, Self.end), .missingChunk("IHDR")),
            (Self.file(Self.header, Self.end), .missingChunk("IDAT")),
            (Self.file(Self.header, Self.header, image), .misplacedChunk("IHDR")),
            (Self.file(Self.header, damaged, Self.end), .checksum(chunk: "IDAT")),
            (
                Self.file(Self.header, PNGBuilder.chunk("ABCD", []), image, Self.end),
                .unknownChunk("ABCD"),
            ),
            (
                Self.file(Self.header, image, PNGBuilder.chunk("tEXt", []), image, Self.end),
                .misplacedChunk("IDAT"),
            ),
            (
                Self.file(Self.header, PNGBuilder.chunk("IDAT", [0xFF, 0xFF, 0xFF]), Self.end),
                .corruptData,
            ),
            (Self.file(Self.header, Self.data(filter), Self.end), .unknownFilter(5)),
            (Self.file(paletteHeader, Self.data([0, 0]), Self.end), .missingChunk("PLTE")),
            (
                Self.file(paletteHeader, threeColours, Self.data([0, 3]), Self.end),
                .paletteIndex(3, paletteSize: 3),
            ),
        ]
        for (bytes, refusal) in cases { #expect(Self.refusal(of: bytes) == refusal) }
    }

    @Test(
        arguments: [
            (0, [0, 0, 0, 0]), (8, [3]), (9, [1]), (9, [7]), (10, [1]), (11, [1]), (12, [2]),
        ] as [(Int, [UInt8])]
    )
    func `a header outside the format is refused`(offset: Int, replacement: [UInt8]) {
        var body = PNGBuilder().headerBody
        body.replaceSubrange(offset..<offset + replacement.count, with: replacement)
        let refusal = Self.refusal(of: Self.file(PNGBuilder.chunk("IHDR", body), Self.end))
        guard case .header = refusal else {
            Issue.record("\(String(describing: refusal))")
            return
        }
    }

    private static let samples: [[UInt8]] = [
        PNGBuilder(isInterlaced: true, dataChunkSize: 9).bytes(),
        PNGBuilder(isApple: true).bytes(),
        PNGBuilder(
            depth: 4,
            colour: .palette,
            palette: [1, 2, 3],
            transparency: [7],
        ).bytes(),
    ]

    @Test(arguments: samples)
    func `every prefix is refused`(sample: [UInt8]) {
        #expect(Self.refusal(of: sample) == nil)
        for prefix in SeededDamage.prefixes(of: sample) {
            #expect(Self.refusal(of: prefix) != nil)
        }
    }

    @Test(arguments: samples)
    func `damage never traps`(sample: [UInt8]) {
        for damaged in SeededDamage.flips(of: sample, count: 2000, seed: 11) {
            _ = Self.refusal(of: damaged)
            // With corrected checksums, the damage reaches the code behind their verification.
            _ = Self.refusal(of: Self.repaired(damaged))
        }
    }

    private static func repaired(_ bytes: [UInt8]) -> [UInt8] {
        var result = bytes
        var start = 8
        while start + 12 <= result.count {
            let length = result[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
            guard length <= result.count - start - 12 else { break }
            let end = start + 8 + length
            let checksum = Zlib.checksum(result[start + 4..<end])
            result.replaceSubrange(end..<end + 4, with: PNGBuilder.number(Int(checksum)))
            start = end + 4
        }
        return result
    }
}
