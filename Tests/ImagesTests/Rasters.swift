import Images
import TestSupport

/// Test images.
enum Rasters {
    /// Smooth colours with some noise, and alpha from transparent to opaque.
    static func cloudy(_ width: Int, _ height: Int, opaque: Bool = false) throws -> Raster {
        var generator = SeededGenerator(seed: UInt64(width * 7919 + height))
        var pixels: [UInt8] = []
        for y in 0..<height {
            for x in 0..<width {
                let noise = UInt8.random(in: 0...9, using: &generator)
                pixels.append(UInt8(x * 230 / width) + noise)
                pixels.append(UInt8(y * 230 / height) + noise)
                pixels.append(UInt8((x + y) * 230 / (width + height)))
                pixels.append(opaque ? 255 : UInt8(x * 255 / max(1, width - 1)))
            }
        }
        return try raster(width, height, pixels)
    }

    static func plain(_ width: Int, _ height: Int, _ pixel: [UInt8]) throws -> Raster {
        try raster(width, height, (0..<width * height).flatMap { _ in pixel })
    }

    static func raster(_ width: Int, _ height: Int, _ pixels: [UInt8]) throws -> Raster {
        guard let raster = Raster(width: width, height: height, pixels: pixels) else {
            throw WrongSize()
        }
        return raster
    }

    struct WrongSize: Error {}
}

extension Raster {
    func pixel(_ x: Int, _ y: Int) -> [UInt8] {
        Array(pixels[(y * width + x) * 4..<(y * width + x) * 4 + 4])
    }
}
