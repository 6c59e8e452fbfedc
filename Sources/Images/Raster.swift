/// An image in memory: rows from the top, 8-bit RGBA with straight alpha.
package struct Raster: Equatable, Sendable {
    /// In pixels, at least 1.
    package let width: Int
    /// In pixels, at least 1.
    package let height: Int
    /// Four bytes per pixel: red, green, blue, alpha.
    package let pixels: [UInt8]

    /// Creates an image; nil if a side is below 1 or `pixels` has not `width * height * 4` bytes.
    package init?(width: Int, height: Int, pixels: [UInt8]) {
        guard width > 0, height > 0, pixels.count.isMultiple(of: 4),
            pixels.count / 4 / width == height, pixels.count / 4 % width == 0
        else { return nil }
        self.init(checked: width, height, pixels)
    }

    /// For callers in this module, whose `pixels` have the right count.
    init(checked width: Int, _ height: Int, _ pixels: [UInt8]) {
        self.width = width
        self.height = height
        self.pixels = pixels
    }

    /// Whether all pixels are opaque.
    package var isOpaque: Bool {
        stride(from: 3, to: pixels.count, by: 4).allSatisfy { pixels[$0] == 255 }
    }
}
