/// A Reed-Solomon code over GF(256), as QR codes use it (ISO/IEC 18004 annex A).
struct ReedSolomon {
    /// The generator polynomial without its leading 1, highest power first.
    let generator: [UInt8]

    /// Correction codewords per block.
    var length: Int { generator.count }

    init(length: Int) {
        var polynomial = [UInt8](repeating: 0, count: max(0, length - 1)) + [1]
        var root: UInt8 = 1
        for _ in 0..<length {
            for index in polynomial.indices {
                polynomial[index] = Self.product(polynomial[index], root)
                if index + 1 < polynomial.count { polynomial[index] ^= polynomial[index + 1] }
            }
            root = Self.product(root, 2)
        }
        generator = polynomial
    }

    /// Returns the correction codewords for a block of data.
    func remainder(of data: some Sequence<UInt8>) -> [UInt8] {
        var result = [UInt8](repeating: 0, count: length)
        for byte in data {
            let factor = byte ^ (result.first ?? 0)
            for index in 0..<length {
                let next = index + 1 < length ? result[index + 1] : 0
                result[index] = next ^ Self.product(generator[index], factor)
            }
        }
        return result
    }

    /// Multiplies modulo x⁸ + x⁴ + x³ + x² + 1.
    static func product(_ a: UInt8, _ b: UInt8) -> UInt8 {
        var result: UInt8 = 0
        for bit in (0..<8).reversed() {
            result = result << 1 ^ (result >> 7 == 1 ? 0x1D : 0)
            if b >> bit & 1 == 1 { result ^= a }
        }
        return result
    }
}
