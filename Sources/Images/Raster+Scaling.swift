extension Raster {
    /// The same picture at another size.
    ///
    /// A side that shrinks is averaged over the area each new pixel covers; one that grows is
    /// interpolated by Catmull and Rom's cubic. Colours count by their alpha, so what is
    /// transparent lends no tint. A size below 1 counts as 1.
    package func scaled(to width: Int, height: Int) -> Raster {
        let width = max(1, width)
        let height = max(1, height)
        guard width != self.width || height != self.height else { return self }
        let columns = Resampling(from: self.width, to: width)
        let rows = Resampling(from: self.height, to: height)

        var wide = [SIMD4<Float>](repeating: .zero, count: self.height * width)
        var line = [SIMD4<Float>](repeating: .zero, count: self.width)
        for y in 0..<self.height {
            for x in 0..<self.width { line[x] = multiplied(at: (y * self.width + x) * 4) }
            for x in 0..<width {
                var sum = SIMD4<Float>.zero
                for tap in columns.taps(of: x) {
                    sum += line[columns.sources[tap]] * columns.weights[tap]
                }
                wide[y * width + x] = sum
            }
        }

        var result = [UInt8](repeating: 0, count: width * height * 4)
        var sums = [SIMD4<Float>](repeating: .zero, count: width)
        for y in 0..<height {
            for x in 0..<width { sums[x] = .zero }
            for tap in rows.taps(of: y) {
                let start = rows.sources[tap] * width
                let weight = rows.weights[tap]
                for x in 0..<width { sums[x] += wide[start + x] * weight }
            }
            for x in 0..<width { Self.store(sums[x], in: &result, at: (y * width + x) * 4) }
        }
        return Raster(checked: width, height, result)
    }

    /// The pixel with its colours multiplied by alpha, all from 0 to 255.
    @inline(__always)
    private func multiplied(at index: Int) -> SIMD4<Float> {
        let bytes = SIMD4(
            pixels[index],
            pixels[index + 1],
            pixels[index + 2],
            pixels[index + 3],
        )
        var result = SIMD4<Float>(bytes)
        let alpha = result.w
        guard alpha != 255 else { return result }
        result *= alpha / 255
        result.w = alpha
        return result
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

/// For each position on one axis: which source positions count, and how much.
private struct Resampling {
    private(set) var sources: [Int] = []
    private(set) var weights: [Float] = []
    private var starts: [Int] = [0]

    init(from old: Int, to new: Int) {
        let ratio = Double(old) / Double(new)
        for index in 0..<new {
            if ratio >= 1 {
                average(Double(index) * ratio, Double(index + 1) * ratio, limit: old)
            } else {
                interpolate(at: (Double(index) + 0.5) * ratio - 0.5, limit: old)
            }
            starts.append(sources.count)
        }
    }

    /// Indices into `sources` and `weights`; the weights of a position sum to 1.
    @inline(__always)
    func taps(of index: Int) -> Range<Int> { starts[index]..<starts[index + 1] }

    private mutating func average(_ from: Double, _ to: Double, limit: Int) {
        var source = Int(from)
        while source < limit, Double(source) < to {
            let covered = min(to, Double(source + 1)) - max(from, Double(source))
            // A sliver left by rounding would only cost time.
            if covered > 1e-9 {
                sources.append(source)
                weights.append(Float(covered / (to - from)))
            }
            source += 1
        }
    }

    private mutating func interpolate(at position: Double, limit: Int) {
        let left = position.rounded(.down)
        let t = position - left
        let cubic = [
            ((2 - t) * t - 1) * t / 2, ((3 * t - 5) * t * t + 2) / 2,
            ((4 - 3 * t) * t + 1) * t / 2, (t - 1) * t * t / 2,
        ]
        for (offset, weight) in cubic.enumerated() {
            sources.append(min(max(Int(left) + offset - 1, 0), limit - 1))
            weights.append(Float(weight))
        }
    }
}
