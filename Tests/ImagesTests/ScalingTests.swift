import Images
import Testing

struct ScalingTests {
    @Test(arguments: [(1, 1), (7, 90), (90, 7), (31, 33), (300, 200)])
    func `one colour stays that colour at every size`(width: Int, height: Int) throws {
        let raster = try Rasters.plain(40, 30, [200, 100, 3, 77])
        let scaled = raster.scaled(to: width, height: height)
        #expect(scaled == (try Rasters.plain(width, height, [200, 100, 3, 77])))
    }

    @Test func `shrinking averages the area that a pixel covers`() throws {
        let raster = try Rasters.raster(
            3,
            1,
            [0, 0, 0, 255, 90, 90, 90, 255, 180, 180, 180, 255],
        )
        let scaled = raster.scaled(to: 2, height: 1)
        #expect(scaled.pixels == [30, 30, 30, 255, 150, 150, 150, 255])
    }

    @Test func `what is transparent lends no tint`() throws {
        let raster = try Rasters.raster(2, 1, [255, 0, 0, 255, 0, 255, 0, 0])
        #expect(raster.scaled(to: 1, height: 1).pixels == [255, 0, 0, 128])
    }

    @Test func `growing keeps edges in place and colours in range`() throws {
        let raster = try Rasters.raster(2, 1, [0, 0, 0, 255, 255, 255, 255, 255])
        let scaled = raster.scaled(to: 8, height: 4)
        let row = (0..<8).map { scaled.pixel($0, 2)[0] }
        #expect(row == row.sorted())
        #expect(row.first == 0 && row.last == 255)
        #expect(scaled.isOpaque)
    }

    @Test func `the same size is the same picture, and no size is one pixel`() throws {
        let raster = try Rasters.cloudy(12, 9)
        #expect(raster.scaled(to: 12, height: 9) == raster)
        #expect(raster.scaled(to: 0, height: -4).pixels.count == 4)
    }
}
