import Bytes

extension Raster {
    /// Returns an ordinary PNG with 8 bits per sample, without alpha if all pixels are opaque.
    ///
    /// The same pixels give the same bytes.
    package func png() -> [UInt8] {
        let channels = isOpaque ? 3 : 4
        var header = ByteWriter()
        header.bigEndian(UInt32(truncatingIfNeeded: width))
        header.bigEndian(UInt32(truncatingIfNeeded: height))
        header.append([8, isOpaque ? 2 : 6, 0, 0, 0])
        var file = ByteWriter()
        file.append(PNGFile.signature)
        file.appendChunk("IHDR", header.bytes)
        file.appendChunk("IDAT", Zlib.deflate(filteredRows(channels: channels)))
        file.appendChunk("IEND", [])
        return file.bytes
    }

    /// Filters each row with the filter whose absolute differences have the least sum, which compresses
    /// well (PNG 12.8).
    private func filteredRows(channels: Int) -> [UInt8] {
        let rowSize = width * channels
        var result: [UInt8] = []
        result.reserveCapacity(height * (rowSize + 1))
        // A zero pixel on the left spares the filters a check for a left neighbour.
        var above = [UInt8](repeating: 0, count: rowSize + channels)
        var row = above
        var trial = [UInt8](repeating: 0, count: rowSize)
        var best = trial
        for y in 0..<height {
            var target = channels
            for source in stride(from: y * width * 4, to: (y + 1) * width * 4, by: 4) {
                for channel in 0..<channels { row[target + channel] = pixels[source + channel] }
                target += channels
            }
            var bestFilter = PNGFilter.none
            var bestSum = Int.max
            for filter in PNGFilter.allCases {
                let sum = filter.apply(
                    to: row,
                    below: above,
                    step: channels,
                    storing: &trial,
                    upTo: bestSum,
                )
                guard sum < bestSum else { continue }
                bestSum = sum
                bestFilter = filter
                swap(&best, &trial)
            }
            result.append(bestFilter.rawValue)
            result += best
            swap(&above, &row)
        }
        return result
    }
}

extension ByteWriter {
    /// Appends a PNG chunk: length, type, body, and the CRC of type and body.
    fileprivate mutating func appendChunk(_ type: String, _ body: [UInt8]) {
        let named = Array(type.utf8) + body
        bigEndian(UInt32(truncatingIfNeeded: body.count))
        append(named)
        bigEndian(Zlib.checksum(named[...]))
    }
}
