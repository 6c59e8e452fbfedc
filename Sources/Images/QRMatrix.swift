/// The modules of a QR code while it is drawn (ISO/IEC 18004 6.3, 7.7 to 7.10).
struct QRMatrix {
    let size: Int
    /// Row by row, from the top.
    private(set) var dark: [Bool]
    /// Function patterns, format and version: modules that hold no codewords and are not masked.
    private var isFixed: [Bool]

    init(version: QRVersion) {
        size = version.size
        dark = [Bool](repeating: false, count: size * size)
        isFixed = dark
        for index in 0..<size {
            fix(6, index, index.isMultiple(of: 2))
            fix(index, 6, index.isMultiple(of: 2))
        }
        for (x, y) in [(3, 3), (size - 4, 3), (3, size - 4)] {
            drawRings(around: x, y, reach: 4) { $0 != 2 && $0 != 4 }
        }
        let centres = version.alignmentCentres
        for x in centres {
            for y in centres where !isFinder(x, y) {
                drawRings(around: x, y, reach: 2) { $0 != 1 }
            }
        }
        // Reserves their modules; the real bits are drawn with the mask.
        drawFormat(correction: .low, mask: 0)
        drawVersion(version)
    }

    /// Draws codewords along the zigzag of columns, from the lower right (7.7.3).
    mutating func draw(_ codewords: [UInt8]) {
        var index = 0
        for pair in 0..<size / 2 {
            // The column of the timing pattern is skipped.
            let right = size - 1 - 2 * pair
            let left = right <= 6 ? right - 2 : right - 1
            for step in 0..<size {
                let y = pair.isMultiple(of: 2) ? size - 1 - step : step
                for x in [left + 1, left] where !isFixed[y * size + x] {
                    guard index < codewords.count * 8 else { return }
                    dark[y * size + x] = codewords[index / 8] >> (7 - index % 8) & 1 == 1
                    index += 1
                }
            }
        }
    }

    /// Inverts the modules that mask 0 to 7 selects (table 10).
    mutating func apply(mask: Int) {
        for y in 0..<size {
            for x in 0..<size where !isFixed[y * size + x] {
                let value =
                    switch mask {
                    case 0: (x + y) % 2
                    case 1: y % 2
                    case 2: x % 3
                    case 3: (x + y) % 3
                    case 4: (x / 3 + y / 2) % 2
                    case 5: x * y % 2 + x * y % 3
                    case 6: (x * y % 2 + x * y % 3) % 2
                    default: ((x + y) % 2 + x * y % 3) % 2
                    }
                if value == 0 { dark[y * size + x].toggle() }
            }
        }
    }

    /// Draws level and mask, twice (7.9).
    mutating func drawFormat(correction: QRCode.Correction, mask: Int) {
        let bits = Self.formatBits(correction: correction, mask: mask)
        func bit(_ index: Int) -> Bool { bits >> index & 1 == 1 }
        for index in 0..<15 {
            let skip = index < 6 ? 0 : 1
            if index < 8 {
                fix(8, index + skip, bit(index))
                fix(size - 1 - index, 8, bit(index))
            } else {
                fix(index == 8 ? 7 : 14 - index, 8, bit(index))
                fix(8, size - 15 + index, bit(index))
            }
        }
        fix(8, size - 8, true)
    }

    static func formatBits(correction: QRCode.Correction, mask: Int) -> Int {
        let level =
            switch correction {
            case .low: 0b01
            case .medium: 0b00
            case .quartile: 0b11
            case .high: 0b10
            }
        let data = level << 3 | mask
        return (data << 10 | remainder(of: data, generator: 0x537, degree: 10)) ^ 0x5412
    }

    /// Draws the version number, twice, from version 7 (7.10).
    private mutating func drawVersion(_ version: QRVersion) {
        guard version.number >= 7 else { return }
        let bits = Self.versionBits(version)
        for index in 0..<18 {
            let near = index / 3
            let far = size - 11 + index % 3
            fix(far, near, bits >> index & 1 == 1)
            fix(near, far, bits >> index & 1 == 1)
        }
    }

    static func versionBits(_ version: QRVersion) -> Int {
        version.number << 12 | remainder(of: version.number, generator: 0x1F25, degree: 12)
    }

    /// Returns the check bits of a BCH code.
    private static func remainder(of data: Int, generator: Int, degree: Int) -> Int {
        var rest = data
        for _ in 0..<degree { rest = rest << 1 ^ (rest >> (degree - 1)) * generator }
        return rest
    }

    private func isFinder(_ x: Int, _ y: Int) -> Bool {
        (x < 8 || x > size - 9) && y < 8 || x < 8 && y > size - 9
    }

    private mutating func drawRings(
        around x: Int,
        _ y: Int,
        reach: Int,
        _ isDark: (Int) -> Bool,
    ) {
        for down in -reach...reach where 0..<size ~= y + down {
            for across in -reach...reach where 0..<size ~= x + across {
                fix(x + across, y + down, isDark(max(abs(across), abs(down))))
            }
        }
    }

    private mutating func fix(_ x: Int, _ y: Int, _ isDark: Bool) {
        dark[y * size + x] = isDark
        isFixed[y * size + x] = true
    }
}
