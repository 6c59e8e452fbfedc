extension QRMatrix {
    /// How hard the modules are to scan; the mask with the least penalty is used (ISO/IEC 18004 7.8.3).
    var penalty: Int {
        var result = 0
        for line in 0..<size {
            result += linePenalty(from: line * size, by: 1)
            result += linePenalty(from: line, by: size)
        }
        return result + blockPenalty + balancePenalty
    }

    /// Penalises runs of five or more equal modules, and patterns that look like a finder.
    private func linePenalty(from start: Int, by step: Int) -> Int {
        // 1:1:3:1:1 with four light modules on either side; the quiet zone counts as light.
        let leading = 0b000_0101_1101
        let trailing = 0b101_1101_0000
        var result = 0
        var run = 0
        var previous = false
        var window = 0
        for index in 0..<size + 4 {
            let isDark = index < size && dark[start + index * step]
            window = (window << 1 | (isDark ? 1 : 0)) & 0x7FF
            if window == leading || window == trailing { result += 40 }
            guard index < size else { continue }
            run = isDark == previous ? run + 1 : 1
            previous = isDark
            if run == 5 { result += 3 }
            if run > 5 { result += 1 }
        }
        return result
    }

    /// Penalises squares of two by two equal modules.
    private var blockPenalty: Int {
        var result = 0
        for y in 1..<size {
            for at in y * size + 1..<(y + 1) * size {
                let colour = dark[at]
                guard dark[at - 1] == colour, dark[at - size] == colour,
                    dark[at - size - 1] == colour
                else { continue }
                result += 3
            }
        }
        return result
    }

    /// Ten for each full five per cent of deviation from half dark.
    private var balancePenalty: Int {
        let count = dark.count { $0 }
        return abs(count * 20 - dark.count * 10) / dark.count * 10
    }
}
