import Foundation
import TestSupport
import Testing

@testable import Images

/// Codes are read by a scanner that is independent of this encoder.
@Suite(.enabled(if: Scanner.isInstalled, "needs zbarimg, of Debian's package zbar-tools"))
struct QRCodeScanningTests {
    @Test func `a scanner reads every size at every level`() async throws {
        try await withTemporaryFolder { folder in
            var texts: [String: String] = [:]
            for version in QRVersion.all {
                for correction in QRCode.Correction.allCases {
                    let text = Self.text(length: version.textCapacity(correction))
                    let code = QRCode(
                        Array(text.utf8),
                        version: version,
                        correction: correction,
                        mask: version.number % 8,
                    )
                    let name = "\(version.number)-\(correction).pgm"
                    texts[name] = text
                    try Data(Self.greyMap(code)).write(to: folder.appending(path: name))
                }
            }
            try #expect(Scanner.read(texts.keys.sorted(), in: folder) == texts)
        }
    }

    @Test func `a scanner reads every mask, drawn as an ordinary PNG`() async throws {
        try await withTemporaryFolder { folder in
            var texts: [String: String] = [:]
            for mask in 0..<8 {
                let text = "https://ota.example.com/i/\(mask)?name=Gr%C3%BCn"
                let code = QRCode(
                    Array(text.utf8),
                    version: QRVersion(number: 8),
                    correction: .quartile,
                    mask: mask,
                )
                texts["\(mask).png"] = text
                try Data(code.raster(scale: 4).png())
                    .write(to: folder.appending(path: "\(mask).png"))
            }
            try #expect(Scanner.read(texts.keys.sorted(), in: folder) == texts)
        }
    }

    @Test func `a scanner reads what the terminal shows`() async throws {
        try await withTemporaryFolder { folder in
            let text = "https://ota.example.com/i/3f9a8c2b1d"
            let code = try QRCode(encoding: text)
            try Data(Self.screenshot(code.terminal(ansi: false, invert: true)).png())
                .write(to: folder.appending(path: "terminal.png"))
            try #expect(Scanner.read(["terminal.png"], in: folder) == ["terminal.png": text])
        }
    }

    /// The simplest image format that the scanner reads, with three pixels per module.
    private static func greyMap(_ code: QRCode) -> [UInt8] {
        let side = (code.size + 8) * 3
        var bytes = Array("P5 \(side) \(side) 255\n".utf8)
        for y in -4..<code.size + 4 {
            var row: [UInt8] = []
            for x in -4..<code.size + 4 {
                row += [UInt8](repeating: code[x, y] ? 0 : 255, count: 3)
            }
            bytes += row + row + row
        }
        return bytes
    }

    private static func text(length: Int) -> String {
        var generator = SeededGenerator(seed: UInt64(length))
        let alphabet = Array("abcdefghijklmnopqrstuvwxyz0123456789:/.-?=&")
        let letters = (0..<length).map { _ in
            alphabet[Int.random(in: alphabet.indices, using: &generator)]
        }
        return String(letters)
    }

    /// Dark modules on a light background, with four pixels per module.
    private static func screenshot(_ text: String) throws -> Raster {
        let lines = text.split(separator: "\n").map(Array.init)
        let width = (lines.first?.count ?? 0) * 4
        var pixels: [UInt8] = []
        for line in lines {
            for row in 0..<8 {
                for character in line {
                    let isInk = character == "█" || character == (row < 4 ? "▀" : "▄")
                    let value: UInt8 = isInk ? 0 : 255
                    for _ in 0..<4 { pixels += [value, value, value, 255] }
                }
            }
        }
        return try Rasters.raster(width, lines.count * 8, pixels)
    }
}
