/// The distance of each pixel of a square from the strokes of a glyph at its centre.
struct StrokeField {
    private let side: Int
    /// Distances in pixels from the strokes' centre lines, row by row within the box; infinite outside.
    private let distances: [Float]
    private let left: Int
    private let top: Int
    private let width: Int
    private let height: Int
    /// Half of the stroke width, in pixels.
    private let reach: Float

    /// - Parameters:
    ///   - path: the glyph, whose box is centred in the square.
    ///   - side: the side of the square, in pixels.
    init(_ path: StrokePath, side: Int) {
        let (low, high) = path.bounds
        let extent = high - low
        // The height of a capital; a wide W is made a little smaller to keep its margin.
        let capital = Float(side) * min(0.44, 0.47 / max(extent.x, 0.01))
        let middle = SIMD2<Float>(repeating: Float(side) / 2)
        let origin = middle - (low + high) * 0.5 * capital
        let pieces = path.pieces.map {
            (from: $0.from * capital + origin, to: $0.to * capital + origin)
        }
        let reach = Float(side) * 0.44 * 0.078
        let margin = reach * 2.6 + 2
        left = max(0, Int(low.x * capital + origin.x - margin))
        top = max(0, Int(low.y * capital + origin.y - margin))
        width = max(1, min(side, Int(high.x * capital + origin.x + margin) + 1) - left)
        height = max(1, min(side, Int(high.y * capital + origin.y + margin) + 1) - top)
        self.side = side
        self.reach = reach
        var distances = [Float](repeating: .infinity, count: width * height)
        for y in 0..<height {
            for x in 0..<width {
                let point = SIMD2(Float(left + x) + 0.5, Float(top + y) + 0.5)
                var nearest = Float.infinity
                for piece in pieces {
                    nearest = min(nearest, Self.square(point, piece.from, piece.to))
                }
                distances[y * width + x] = nearest.squareRoot()
            }
        }
        self.distances = distances
    }

    /// Returns how much of a pixel the strokes cover, 0 to 1.
    func coverage(_ x: Int, _ y: Int) -> Float {
        min(max(reach + 0.5 - distance(x, y), 0), 1)
    }

    /// Returns the strength of a soft shadow around the strokes, 0 to 1.
    func shade(_ x: Int, _ y: Int) -> Float {
        let share = min(max((reach * 2.5 - distance(x, y)) / (reach * 2.2), 0), 1)
        return share * share * (3 - 2 * share)
    }

    @inline(__always)
    private func distance(_ x: Int, _ y: Int) -> Float {
        guard x >= left, x < left + width, y >= top, y < top + height else { return .infinity }
        return distances[(y - top) * width + x - left]
    }

    /// Returns the squared distance from a point to a line segment.
    @inline(__always)
    private static func square(
        _ point: SIMD2<Float>,
        _ from: SIMD2<Float>,
        _ to: SIMD2<Float>,
    ) -> Float {
        let line = to - from
        let offset = point - from
        let along = min(max((offset * line).sum() / (line * line).sum(), 0), 1)
        let gap = offset - line * along
        return (gap * gap).sum()
    }
}
