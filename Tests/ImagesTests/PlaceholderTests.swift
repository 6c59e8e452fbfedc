import Testing

@testable import Images

struct PlaceholderTests {
    @Test(arguments: [1, 57, 60, 180, 512])
    func `a placeholder is square and hides what is behind it`(side: Int) {
        let icon = Raster.placeholder(name: "Rocket", seed: "com.example.rocket", side: side)
        #expect(icon.width == side && icon.height == side)
        #expect(icon.isOpaque)
    }

    @Test func `the identifier decides the colour, the same one each time`() {
        let first = Raster.placeholder(name: "A", seed: "com.example.one", side: 57)
        #expect(first == .placeholder(name: "A", seed: "com.example.one", side: 57))
        let colours = Set(
            (0..<50).map { index in
                Raster.placeholder(name: "", seed: "com.example.\(index)", side: 1).pixels
            }
        )
        #expect(colours.count > 20)
    }

    @Test func `names that begin alike share their letter`() {
        func icon(_ name: String) -> Raster {
            .placeholder(name: name, seed: "seed", side: 60)
        }
        #expect(icon("über") == icon("U"))
        #expect(icon("  «Émile»") == icon("e"))
        #expect(icon("7 Minutes") == icon("7"))
        #expect(icon("日本") == icon(""))
        #expect(icon("日本") != icon("J"))
        #expect(icon("ß") == icon("S"))
    }

    @Test func `every letter and digit keeps its distance from the edge`() throws {
        let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
        #expect(Set(Glyph.strokes.keys) == Set(alphabet))
        for character in alphabet {
            let field = StrokeField(Glyph.initial(of: String(character)), side: 100)
            var covered = 0
            for y in 0..<100 {
                for x in 0..<100 where field.coverage(x, y) > 0.5 {
                    covered += 1
                    try #require(15..<85 ~= x && 15..<85 ~= y)
                }
            }
            #expect(covered > 200)
        }
    }

    @Test func `white stands out on every colour`() {
        for index in 0..<300 {
            let ground = IconGround(seed: "\(index)")
            let middle = ground.colour(at: 0.5)
            #expect(Self.contrastWithWhite(middle) > 3)
        }
    }

    /// WCAG 2.2: relative luminance and contrast ratio.
    private static func contrastWithWhite(_ colour: SIMD3<Float>) -> Float {
        // The square is close enough to the exact curve for a bound.
        let linear = colour * colour
        let luminance = 0.2126 * linear.x + 0.7152 * linear.y + 0.0722 * linear.z
        return 1.05 / (luminance + 0.05)
    }
}
