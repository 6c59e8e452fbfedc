/// One of the forty sizes of QR code and its capacity (ISO/IEC 18004 7.4 and 7.5).
struct QRVersion: Equatable, Sendable {
    /// 1 to 40.
    let number: Int

    static let all = (1...40).map(QRVersion.init(number:))
    static let largest = QRVersion(number: 40)

    /// Modules per side.
    var size: Int { 17 + 4 * number }

    /// The coordinates of the centres of alignment patterns, in both directions (annex E).
    var alignmentCentres: [Int] {
        guard number > 1 else { return [] }
        let count = number / 7 + 2
        let step = (number * 8 + count * 3 + 5) / (count * 4 - 4) * 2
        return [6] + (0..<count - 1).reversed().map { size - 7 - $0 * step }
    }

    /// The number of all codewords, including correction: the bytes that function patterns leave.
    var codewordCount: Int {
        var modules = (16 * number + 128) * number + 64
        if number > 1 {
            let count = number / 7 + 2
            modules -= (25 * count - 10) * count - 55
        }
        if number > 6 { modules -= 36 }
        return modules / 8
    }

    func blockCount(_ correction: QRCode.Correction) -> Int {
        Self.blockCounts[correction.rawValue][number - 1]
    }

    /// Returns the number of correction codewords per block.
    func correctionLength(_ correction: QRCode.Correction) -> Int {
        Self.correctionLengths[correction.rawValue][number - 1]
    }

    func dataLength(_ correction: QRCode.Correction) -> Int {
        codewordCount - blockCount(correction) * correctionLength(correction)
    }

    /// The width in bits of the field that counts the bytes of text.
    var countWidth: Int { number < 10 ? 8 : 16 }

    /// Returns the most bytes of text.
    func textCapacity(_ correction: QRCode.Correction) -> Int {
        (dataLength(correction) * 8 - 4 - countWidth) / 8
    }

    /// Table 9, by level and version.
    private static let correctionLengths = [
        [
            7, 10, 15, 20, 26, 18, 20, 24, 30, 18, 20, 24, 26, 30, 22, 24, 28, 30, 28, 28,
            28, 28, 30, 30, 26, 28, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30,
        ],
        [
            10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24, 28, 28, 26, 26, 26,
            26, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28,
        ],
        [
            13, 22, 18, 26, 18, 24, 18, 22, 20, 24, 28, 26, 24, 20, 30, 24, 28, 28, 26, 30,
            28, 30, 30, 30, 30, 28, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30,
        ],
        [
            17, 28, 22, 16, 22, 28, 26, 26, 24, 28, 24, 28, 22, 24, 24, 30, 28, 28, 26, 28,
            30, 24, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30,
        ],
    ]

    /// Table 9, by level and version.
    private static let blockCounts = [
        [
            1, 1, 1, 1, 1, 2, 2, 2, 2, 4, 4, 4, 4, 4, 6, 6, 6, 6, 7, 8,
            8, 9, 9, 10, 12, 12, 12, 13, 14, 15, 16, 17, 18, 19, 19, 20, 21, 22, 24, 25,
        ],
        [
            1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10, 10, 11, 13, 14, 16,
            17, 17, 18, 20, 21, 23, 25, 26, 28, 29, 31, 33, 35, 37, 38, 40, 43, 45, 47, 49,
        ],
        [
            1, 1, 2, 2, 4, 4, 6, 6, 8, 8, 8, 10, 12, 16, 12, 17, 16, 18, 21, 20,
            23, 23, 25, 27, 29, 34, 34, 35, 38, 40, 43, 45, 48, 51, 53, 56, 59, 62, 65, 68,
        ],
        [
            1, 1, 2, 4, 4, 4, 5, 6, 8, 8, 11, 11, 16, 16, 18, 16, 19, 21, 25, 25,
            25, 34, 30, 32, 35, 37, 40, 42, 45, 48, 51, 54, 57, 60, 63, 66, 70, 74, 77, 81,
        ],
    ]
}
