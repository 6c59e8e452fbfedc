extension Raster {
    /// Returns an icon for an app that has none: the initial of its name on a coloured background.
    ///
    /// Square and opaque; the phone rounds the corners itself.
    ///
    /// - Parameters:
    ///   - name: its first letter or digit is shown; an install symbol if there is none.
    ///   - seed: determines the colour; the bundle identifier.
    ///   - side: in pixels.
    /// - Returns: an image of `side` by `side` pixels.
    package static func placeholder(name: String, seed: String, side: Int) -> Raster {
        let side = max(1, side)
        let ground = IconGround(seed: seed)
        let field = StrokeField(Glyph.initial(of: name), side: side)
        let size = Float(side)
        let drop = side / 60
        var pixels = [UInt8](repeating: 255, count: side * side * 4)
        for y in 0..<side {
            let base = ground.colour(at: (Float(y) + 0.5) / size)
            for x in 0..<side {
                var colour = base
                let shade = field.shade(x, y - drop) * 0.22
                colour = mix(colour, ground.shadow, shade)
                colour = mix(colour, SIMD3(repeating: 1), field.coverage(x, y))
                let bytes = colour * 255 + 0.5
                for channel in 0..<3 {
                    pixels[(y * side + x) * 4 + channel] = UInt8(min(max(bytes[channel], 0), 255))
                }
            }
        }
        return Raster(checked: side, side, pixels)
    }

    @inline(__always)
    private static func mix(
        _ a: SIMD3<Float>,
        _ b: SIMD3<Float>,
        _ share: Float,
    ) -> SIMD3<Float> {
        a + (b - a) * share
    }
}
