#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The centre lines of pen strokes, as line segments in units of a capital's height, y downwards.
struct StrokePath {
    struct Piece {
        let from: SIMD2<Float>
        let to: SIMD2<Float>
    }

    private(set) var pieces: [Piece] = []
    private var pen = SIMD2<Float>.zero

    enum Step {
        case move(Float, Float)
        case line(Float, Float)
        /// A cubic curve: two control points and the end.
        case curve(Float, Float, Float, Float, Float, Float)
        /// Centre, radii, and two angles in degrees clockwise from the right; the pen draws a line to its
        /// start.
        case arc(Float, Float, Float, Float, from: Float, to: Float)
        /// Centre and radii of a whole ellipse, without a line to it.
        case ring(Float, Float, Float, Float)
    }

    init(_ steps: [Step]) {
        for step in steps { draw(step) }
    }

    private mutating func draw(_ step: Step) {
        switch step {
        case .move(let x, let y):
            pen = SIMD2(x, y)
        case .line(let x, let y):
            line(to: SIMD2(x, y))
        case .curve(let x1, let y1, let x2, let y2, let x, let y):
            let start = pen
            let (a, b, end) = (SIMD2(x1, y1), SIMD2(x2, y2), SIMD2(x, y))
            for index in 1...24 {
                let t = Float(index) / 24
                let u = 1 - t
                line(
                    to: start * (u * u * u) + a * (3 * u * u * t) + b * (3 * u * t * t)
                        + end * (t * t * t)
                )
            }
        case .arc(let x, let y, let across, let down, let from, let to):
            let count = max(2, Int(abs(to - from) / 7.5))
            for index in 0...count {
                let angle = (from + (to - from) * Float(index) / Float(count)) * .pi / 180
                line(to: SIMD2(x + across * cos(angle), y + down * sin(angle)))
            }
        case .ring(let x, let y, let across, let down):
            pen = SIMD2(x + across, y)
            draw(.arc(x, y, across, down, from: 0, to: 360))
        }
    }

    private mutating func line(to end: SIMD2<Float>) {
        if pen != end { pieces.append(Piece(from: pen, to: end)) }
        pen = end
    }

    /// The smallest box around all strokes, without their width.
    var bounds: (low: SIMD2<Float>, high: SIMD2<Float>) {
        var low = SIMD2<Float>(repeating: .infinity)
        var high = SIMD2<Float>(repeating: -.infinity)
        for piece in pieces {
            low = pointwiseMin(low, pointwiseMin(piece.from, piece.to))
            high = pointwiseMax(high, pointwiseMax(piece.from, piece.to))
        }
        return (low, high)
    }
}
