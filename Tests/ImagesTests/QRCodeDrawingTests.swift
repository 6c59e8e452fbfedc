import Images
import Testing

struct QRCodeDrawingTests {
    @Test func `the drawing is one path on white and carries its label`() throws {
        let svg = try QRCode(encoding: "x").svg(label: "Install <b>\"A\" & 'B'\u{1B}\u{0}")
        #expect(svg.contains("viewBox=\"0 0 29 29\""))
        #expect(svg.contains("role=\"img\""))
        #expect(svg.contains("shape-rendering=\"crispEdges\""))
        let label = "Install &lt;b&gt;&quot;A&quot; &amp; &#39;B&#39;"
        #expect(svg.contains("aria-label=\"\(label)\""))
        #expect(svg.contains("<title>\(label)</title>"))
        #expect(svg.contains("<rect width=\"29\" height=\"29\" fill=\"#fff\"/>"))
        #expect(svg.split(separator: "<path").count == 2)
        // The finder pattern's upper edge, inside the quiet zone.
        #expect(svg.contains("d=\"M4 4h7v1h-7z"))
    }

    @Test func `the terminal shows two rows in a line`() throws {
        let code = try QRCode(encoding: "x")
        for (ansi, invert) in [(false, false), (false, true), (true, false)] {
            let lines = code.terminal(ansi: ansi, invert: invert).split(separator: "\n")
            #expect(lines.count == 13)
            for line in lines {
                let modules = line.filter { "█▀▄ ".contains($0) }
                #expect(modules.count == 25)
            }
        }
        let plain = code.terminal(ansi: false)
        #expect(!plain.contains("\u{1B}"))
        #expect(plain.hasPrefix("█████"))
        #expect(code.terminal(ansi: false, invert: true).hasPrefix("     "))
        #expect(code.terminal().hasPrefix("\u{1B}[38;5;16;48;5;231m     "))
        #expect(code.terminal().hasSuffix("\u{1B}[0m\n"))
    }

    @Test func `the picture has a quiet zone of four modules`() throws {
        let code = try QRCode(encoding: "x")
        let raster = code.raster(scale: 2)
        #expect(raster.width == (code.size + 8) * 2)
        #expect(raster.pixel(7, 7) == [255, 255, 255, 255])
        #expect(raster.pixel(8, 8) == [0, 0, 0, 255])
    }
}
