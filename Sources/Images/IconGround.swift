#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The background of a placeholder icon: a vertical gradient from light to dark.
///
/// Hues are chosen in Oklab, where colours of equal lightness look equally light, so that white has the
/// same contrast on all of them.
struct IconGround {
    /// The colour of the initial's shadow.
    let shadow: SIMD3<Float>
    private let upper: SIMD3<Float>
    private let lower: SIMD3<Float>

    init(seed: String) {
        // Yellow this dark is olive, so its range is left out of the colour circle.
        let circle: ClosedRange<Float> = 145...414
        let count: UInt64 = 36
        let step = Float(Self.hash(seed) % count) / Float(count - 1)
        let hue = circle.lowerBound + step * (circle.upperBound - circle.lowerBound)
        // Towards the dark end green shifts to blue, and orange to red; neither to brown.
        let drift = min(max((360 - hue) / 40, -1), 1) * 15
        upper = Self.colour(lightness: 0.73, chroma: 0.155, degrees: hue - drift)
        lower = Self.colour(lightness: 0.5, chroma: 0.18, degrees: hue + drift)
        shadow = Self.colour(lightness: 0.22, chroma: 0.09, degrees: hue + drift)
    }

    /// Returns the colour at a height from 0, the upper edge, to 1.
    func colour(at height: Float) -> SIMD3<Float> {
        upper + (lower - upper) * min(max(height, 0), 1)
    }

    /// FNV-1a with a further mixing step, so that identifiers that differ in one letter differ in colour.
    private static func hash(_ seed: String) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in seed.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        hash = (hash ^ (hash >> 33)) &* 0xFF51_AFD7_ED55_8CCD
        return hash ^ (hash >> 33)
    }

    /// Converts a colour in Oklab's polar form to sRGB, reducing the chroma if it is out of gamut.
    private static func colour(lightness: Float, chroma: Float, degrees: Float) -> SIMD3<Float> {
        let angle = degrees * .pi / 180
        var chroma = chroma
        var linear = linearRGB(lightness, chroma * cos(angle), chroma * sin(angle))
        while linear.min() < 0 || linear.max() > 1, chroma > 0 {
            chroma -= 0.004
            linear = linearRGB(lightness, chroma * cos(angle), chroma * sin(angle))
        }
        return SIMD3(encoded(linear.x), encoded(linear.y), encoded(linear.z))
    }

    /// Converts Oklab to linear sRGB with Björn Ottosson's matrices.
    private static func linearRGB(_ lightness: Float, _ a: Float, _ b: Float) -> SIMD3<Float> {
        let roots = SIMD3(
            lightness + 0.396_337_78 * a + 0.215_803_76 * b,
            lightness - 0.105_561_346 * a - 0.063_854_17 * b,
            lightness - 0.089_484_18 * a - 1.291_485_5 * b,
        )
        let cone = roots * roots * roots
        return SIMD3(
            4.076_741_7 * cone.x - 3.307_711_6 * cone.y + 0.230_969_94 * cone.z,
            -1.268_438 * cone.x + 2.609_757_4 * cone.y - 0.341_319_4 * cone.z,
            -0.004_196_086_3 * cone.x - 0.703_418_6 * cone.y + 1.707_614_7 * cone.z,
        )
    }

    private static func encoded(_ linear: Float) -> Float {
        let linear = min(max(linear, 0), 1)
        return linear <= 0.003_130_8 ? 12.92 * linear : 1.055 * pow(linear, 1 / 2.4) - 0.055
    }
}
