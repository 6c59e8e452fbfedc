import Images
import Testing

struct WritingPNGTests {
    @Test(arguments: [(1, 1), (3, 200), (200, 3), (64, 64), (57, 57)], [true, false])
    func `what is written reads back the same`(size: (Int, Int), isOpaque: Bool) throws {
        let raster = try Rasters.cloudy(size.0, size.1, opaque: isOpaque)
        let bytes = raster.png()
        #expect(try Raster(png: bytes) == raster)
        #expect(raster.png() == bytes)
        #expect(bytes[25] == (raster.isOpaque ? 2 : 6))
    }

    @Test func `a smooth picture becomes a small file`() throws {
        let icon = Raster.placeholder(name: "Sample", seed: "com.example.sample", side: 512)
        #expect(icon.png().count < 40_000)
    }

    @Test func `a raster has as many bytes as its sides say`() {
        let pixels = [UInt8](repeating: 0, count: 24)
        #expect(Raster(width: 2, height: 3, pixels: pixels) != nil)
        for (width, height) in [(3, 3), (0, 6), (6, 0), (-2, -3), (4, 1), (Int.max, Int.max)] {
            #expect(Raster(width: width, height: height, pixels: pixels) == nil)
        }
    }
}
