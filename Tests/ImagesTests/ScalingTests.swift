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

    @Test(arguments: [(1, 4096), (4096, 1), (3, 4096), (4096, 3)])
    func `the longest pictures there are scale to each icon's size`(width: Int, height: Int) throws
    {
        let raster = try Rasters.plain(width, height, [9, 90, 190, 255])
        for side in [57, 512] {
            let scaled = raster.scaled(to: side, height: side)
            #expect(scaled == (try Rasters.plain(side, side, [9, 90, 190, 255])))
        }
    }

    /// The former algorithm for whole images: two passes, with the complete intermediate image kept.
    @Test(arguments: [(5, 7), (7, 5), (90, 40), (40, 90), (61, 61), (1, 33), (33, 1)])
    func `holding four rows gives the very picture that holding all gave`(
        width: Int,
        height: Int,
    ) throws {
        let raster = try Rasters.cloudy(31, 47)
        let scaled = raster.scaled(to: width, height: height)
        let wide = raster.scaled(to: width, height: 47)
        for x in 0..<width {
            let column = (0..<47).flatMap { wide.pixel(x, $0) }
            let narrow = try Rasters.raster(1, 47, column).scaled(to: 1, height: height)
            for y in 0..<height {
                for (found, expected) in zip(scaled.pixel(x, y), narrow.pixel(0, y)) {
                    // Here the intermediate rows are rounded to bytes, which the new algorithm does not do.
                    #expect(abs(Int(found) - Int(expected)) <= 6)
                }
            }
        }
    }

    @Test func `the same size is the same picture, and no size is one pixel`() throws {
        let raster = try Rasters.cloudy(12, 9)
        #expect(raster.scaled(to: 12, height: 9) == raster)
        #expect(raster.scaled(to: 0, height: -4).pixels.count == 4)
    }
}
