import Testing

@testable import Images

struct QRCodeTests {
    @Test func `generator polynomials are those of the standard`() {
        // ISO/IEC 18004, table A.1, with the powers of 2 evaluated.
        #expect(ReedSolomon(length: 7).generator == Self.powers([87, 229, 146, 149, 238, 102, 21]))
        #expect(
            ReedSolomon(length: 10).generator
                == Self.powers([251, 67, 46, 61, 118, 70, 64, 94, 32, 45])
        )
    }

    @Test func `the standard's example has its correction codewords`() {
        // Annex I: "01234567" in version 1-M.
        let data: [UInt8] = [
            0x10, 0x20, 0x0C, 0x56, 0x61, 0x80, 0xEC, 0x11, 0xEC, 0x11, 0xEC, 0x11, 0xEC, 0x11,
            0xEC, 0x11,
        ]
        #expect(
            ReedSolomon(length: 10).remainder(of: data) == [
                0xA5, 0x24, 0xD4, 0xC1, 0xED, 0x36, 0xC7, 0x87, 0x2C, 0x55,
            ]
        )
    }

    @Test func `format and version bits are those of the standard`() {
        // Tables C.1 and D.1.
        #expect(QRMatrix.formatBits(correction: .medium, mask: 0) == 0x5412)
        #expect(QRMatrix.formatBits(correction: .medium, mask: 5) == 0x40CE)
        #expect(QRMatrix.formatBits(correction: .low, mask: 0) == 0x77C4)
        #expect(QRMatrix.formatBits(correction: .high, mask: 7) == 0x083B)
        #expect(QRMatrix.formatBits(correction: .quartile, mask: 7) == 0x2BED)
        #expect(QRMatrix.versionBits(QRVersion(number: 7)) == 0x07C94)
        #expect(QRMatrix.versionBits(QRVersion(number: 40)) == 0x28C69)
    }

    @Test(arguments: [
        (1, [17, 14, 11, 7]), (2, [32, 26, 20, 14]), (9, [230, 180, 130, 98]),
        (10, [271, 213, 151, 119]), (27, [1465, 1125, 805, 625]),
        (40, [2953, 2331, 1663, 1273]),
    ])
    func `each size holds what table 7 says`(number: Int, capacities: [Int]) {
        let version = QRVersion(number: number)
        #expect(QRCode.Correction.allCases.map(version.textCapacity) == capacities)
    }

    @Test func `alignment patterns lie where annex E puts them`() {
        #expect(QRVersion(number: 1).alignmentCentres == [])
        #expect(QRVersion(number: 2).alignmentCentres == [6, 18])
        #expect(QRVersion(number: 7).alignmentCentres == [6, 22, 38])
        #expect(QRVersion(number: 32).alignmentCentres == [6, 34, 60, 86, 112, 138])
        #expect(QRVersion(number: 36).alignmentCentres == [6, 24, 50, 76, 102, 128, 154])
        #expect(QRVersion(number: 40).alignmentCentres == [6, 30, 58, 86, 114, 142, 170])
    }

    @Test func `codewords fill exactly the modules that patterns leave`() {
        for version in QRVersion.all {
            var matrix = QRMatrix(version: version)
            let before = matrix.dark
            matrix.draw([UInt8](repeating: 0xFF, count: version.codewordCount))
            let drawn = zip(before, matrix.dark).count { $0 != $1 }
            #expect(drawn == version.codewordCount * 8)
        }
    }

    @Test func `a text takes the smallest size and the best level in it`() throws {
        #expect(try QRCode(encoding: "").size == 21)
        #expect(try QRCode(encoding: String(repeating: "a", count: 14)).size == 21)
        #expect(try QRCode(encoding: String(repeating: "a", count: 15)).size == 25)
        let short = try QRCode(encoding: "HTTPS:/", correction: .low)
        #expect(short == (try QRCode(encoding: "HTTPS:/", correction: .high)))
    }

    @Test(arguments: QRCode.Correction.allCases)
    func `a text too long is refused with the limit`(correction: QRCode.Correction) throws {
        let limit = QRVersion.largest.textCapacity(correction)
        let longest = String(repeating: "a", count: limit)
        #expect(try QRCode(encoding: longest, correction: correction).size == 177)
        #expect(throws: QRCode.TextTooLong(bytes: limit + 1, limit: limit)) {
            try QRCode(encoding: longest + "a", correction: correction)
        }
    }

    @Test func `what looks like a finder, and large areas, cost a mask dearly`() {
        // An all-light matrix: penalties for runs, blocks and balance of 21 × 21 modules, none for finder
        // patterns.
        let blank = QRMatrix(version: QRVersion(number: 1))
        #expect(blank.penalty > 0)
        let bytes = Array("https://ota.example.com".utf8)
        let version = QRVersion(number: 3)
        let codes = (0..<8).map { mask in
            QRCode(bytes, version: version, correction: .medium, mask: mask)
        }
        #expect(codes.contains(QRCode(bytes, version: version, correction: .medium)))
        #expect(Set(codes.map { $0.svg(label: "") }).count == 8)
    }

    private static func powers(_ exponents: [Int]) -> [UInt8] {
        exponents.map { exponent in
            (0..<exponent).reduce(1) { power, _ in ReedSolomon.product(power, 2) }
        }
    }
}
