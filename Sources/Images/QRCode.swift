import Bytes
package import Problems

/// A QR code of ISO/IEC 18004: text as a square of dark and light modules.
package struct QRCode: Equatable, Sendable {
    /// The share of the symbol that can be restored: about 7, 15, 25 and 30 per cent.
    package enum Correction: Int, CaseIterable, Comparable, Sendable {
        case low, medium, quartile, high

        package static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
    }

    /// The text has more UTF-8 bytes than the largest symbol holds at this level.
    package struct TextTooLong: ReportableError, Equatable {
        package let bytes: Int
        package let limit: Int

        package var description: String {
            "a text of \(bytes.grouped) bytes does not fit a QR code, which holds \(limit)"
        }

        package var id: String { "qr-code.text-too-long" }
        package var kind: Problem.Kind { .tooLarge }
        package var fix: String { "use a shorter base URL" }
    }

    /// Modules on a side, without the quiet zone: 21 to 177.
    package let size: Int
    private let dark: [Bool]

    /// Encodes `text` as UTF-8 in the smallest symbol that holds it.
    ///
    /// - Parameters:
    ///   - text: a URL; for other than ASCII text, scanners have to guess the encoding.
    ///   - correction: the least level; it is raised as far as the same symbol allows.
    /// - Throws: ``TextTooLong`` if version 40 cannot hold the text.
    package init(
        encoding text: String,
        correction: Correction = .medium,
    ) throws(TextTooLong) {
        let bytes = Array(text.utf8)
        guard
            let version = QRVersion.all.first(where: {
                $0.textCapacity(correction) >= bytes.count
            })
        else {
            let limit = QRVersion.largest.textCapacity(correction)
            throw TextTooLong(bytes: bytes.count, limit: limit)
        }
        let best = Correction.allCases.last { version.textCapacity($0) >= bytes.count }
        self.init(bytes, version: version, correction: best ?? correction)
    }

    /// Lays out `bytes`, which must fit, with a mask of 0 to 7, or with the mask of the least penalty.
    init(_ bytes: [UInt8], version: QRVersion, correction: Correction, mask: Int? = nil) {
        let codewords = version.codewords(holding: bytes, correction: correction)
        var blank = QRMatrix(version: version)
        blank.draw(codewords)
        let candidates = (mask.map { $0...$0 } ?? 0...7).map { mask in
            var matrix = blank
            matrix.apply(mask: mask)
            matrix.drawFormat(correction: correction, mask: mask)
            return matrix
        }
        // A single candidate needs no comparison.
        let best =
            candidates.count == 1
            ? candidates.first : candidates.min { $0.penalty < $1.penalty }
        size = version.size
        dark = (best ?? blank).dark
    }

    /// Whether the module in column `x` and row `y` is dark; modules outside are light.
    package subscript(x: Int, y: Int) -> Bool {
        guard 0..<size ~= x, 0..<size ~= y else { return false }
        return dark[y * size + x]
    }
}
