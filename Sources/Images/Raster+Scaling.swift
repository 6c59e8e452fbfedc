extension Raster {
    /// Returns the image at another size, in pixels.
    ///
    /// When shrinking, each new pixel is the average of the area that it covers; when enlarging, pixels
    /// are interpolated with a Catmull-Rom cubic. Colours are weighted by alpha, so transparent pixels
    /// add no tint. A size below 1 counts as 1.
    ///
    /// Besides the result, only four rows of the new width are held, whatever the image's height.
    package func scaled(to width: Int, height: Int) -> Raster {
        let width = max(1, width)
        let height = max(1, height)
        guard width != self.width || height != self.height else { return self }
        let rows = Resampling(from: self.height, to: height)
        var wide = WideRows(of: self, width: width)
        var result = [UInt8](repeating: 0, count: width * height * 4)
        var sums = [SIMD4<Float>](repeating: .zero, count: width)
        for y in 0..<height {
            for x in 0..<width { sums[x] = .zero }
            for tap in rows.taps(of: y) {
                let start = wide.row(rows.sources[tap])
                let weight = rows.weights[tap]
                for x in 0..<width { sums[x] += wide.pixels[start + x] * weight }
            }
            for x in 0..<width { Self.store(sums[x], in: &result, at: (y * width + x) * 4) }
        }
        return Raster(checked: width, height, result)
    }

    @inline(__always)
    private static func store(_ pixel: SIMD4<Float>, in bytes: inout [UInt8], at index: Int) {
        let alpha = min(pixel.w, 255)
        guard alpha >= 0.5 else { return }
        let straight = pixel * (255 / alpha) + 0.5
        // A cubic overshoots at edges.
        bytes[index] = UInt8(min(max(straight.x, 0), 255))
        bytes[index + 1] = UInt8(min(max(straight.y, 0), 255))
        bytes[index + 2] = UInt8(min(max(straight.z, 0), 255))
        bytes[index + 3] = UInt8(alpha + 0.5)
    }
}

/// The last four requested rows of an image, at another width.
///
/// No resampling uses more than four adjacent rows, or returns to an earlier one.
private struct WideRows {
    private static let kept = 4

    /// The rows held, one after another.
    private(set) var pixels: [SIMD4<Float>]
    private let source: Raster
    private let width: Int
    private let columns: Resampling
    private var line: [SIMD4<Float>]
    /// The index in the image of each row held.
    private var held = [Int](repeating: -1, count: WideRows.kept)

    init(of source: Raster, width: Int) {
        self.source = source
        self.width = width
        columns = Resampling(from: source.width, to: width)
        pixels = [SIMD4<Float>](repeating: .zero, count: Self.kept * width)
        line = [SIMD4<Float>](repeating: .zero, count: source.width)
    }

    /// Returns the index in ``pixels`` at which row `y` of the image starts.
    mutating func row(_ y: Int) -> Int {
        let slot = y % Self.kept
        let start = slot * width
        guard held[slot] != y else { return start }
        held[slot] = y
        for x in 0..<source.width { line[x] = multiplied(at: (y * source.width + x) * 4) }
        for x in 0..<width {
            var sum = SIMD4<Float>.zero
            for tap in columns.taps(of: x) {
                sum += line[columns.sources[tap]] * columns.weights[tap]
            }
            pixels[start + x] = sum
        }
        return start
    }

    /// Returns the pixel with premultiplied alpha, all channels from 0 to 255.
    @inline(__always)
    private func multiplied(at index: Int) -> SIMD4<Float> {
        let bytes = SIMD4(
            source.pixels[index],
            source.pixels[index + 1],
            source.pixels[index + 2],
            source.pixels[index + 3],
        )
        var result = SIMD4<Float>(bytes)
        let alpha = result.w
        guard alpha != 255 else { return result }
        result *= alpha / 255
        result.w = alpha
        return result
    }
}
