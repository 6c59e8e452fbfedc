/// A picture in memory: rows from the top, 8-bit RGBA, alpha not multiplied into the colours.
package struct Raster: Equatable, Sendable {
    /// In pixels, at least 1.
    package let width: Int
    /// In pixels, at least 1.
    package let height: Int
    /// Four bytes for each pixel: red, green, blue, alpha.
    package let pixels: [UInt8]

    /// Takes over `pixels`; nil when a side is below 1 or there are not `width * height * 4` bytes.
    package init?(width: Int, height: Int, pixels: [UInt8]) {
        guard width > 0, height > 0, pixels.count.isMultiple(of: 4),
            pixels.count / 4 / width == height, pixels.count / 4 % width == 0
        else { return nil }
        self.init(checked: width, height, pixels)
    }

    /// For callers in this module that made `pixels` to measure.
    init(checked width: Int, _ height: Int, _ pixels: [UInt8]) {
        self.width = width
        self.height = height
        self.pixels = pixels
    }

    /// Whether every pixel hides what is behind it.
    package var isOpaque: Bool {
        stride(from: 3, to: pixels.count, by: 4).allSatisfy { pixels[$0] == 255 }
    }
}
