extension QRVersion {
    /// Returns the codewords in drawing order: data in byte mode, blocks interleaved, then correction.
    func codewords(holding text: [UInt8], correction: QRCode.Correction) -> [UInt8] {
        let data = dataCodewords(holding: text, correction: correction)
        let blockCount = blockCount(correction)
        let code = ReedSolomon(length: correctionLength(correction))
        // The later blocks are one longer if the data does not divide evenly.
        let shortLength = data.count / blockCount
        let shortCount = blockCount - data.count % blockCount
        var blocks: [ArraySlice<UInt8>] = []
        var start = 0
        for index in 0..<blockCount {
            let length = shortLength + (index < shortCount ? 0 : 1)
            blocks.append(data[start..<start + length])
            start += length
        }
        let corrections = blocks.map(code.remainder(of:))
        var result: [UInt8] = []
        for position in 0...shortLength {
            for block in blocks where position < block.count {
                result.append(block[block.startIndex + position])
            }
        }
        for position in 0..<code.length {
            for block in corrections { result.append(block[position]) }
        }
        return result
    }

    /// Returns mode, count, text, terminator and padding (7.4.5, 7.4.9, 7.4.10).
    private func dataCodewords(holding text: [UInt8], correction: QRCode.Correction) -> [UInt8] {
        let count = text.count
        let header: [UInt8] =
            countWidth == 8
            ? [UInt8(truncatingIfNeeded: count)]
            : [UInt8(truncatingIfNeeded: count >> 8), UInt8(truncatingIfNeeded: count)]
        // The byte mode indicator has four bits (0100), so all later bytes straddle two codewords.
        var result: [UInt8] = []
        var high: UInt8 = 0b0100
        for byte in header + text {
            result.append(high << 4 | byte >> 4)
            high = byte & 15
        }
        result.append(high << 4)
        let length = dataLength(correction)
        var filler: UInt8 = 0xEC
        while result.count < length {
            result.append(filler)
            filler ^= 0xEC ^ 0x11
        }
        return result
    }
}
