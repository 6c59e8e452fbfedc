import Bytes

extension Raster {
    /// The most pixels of an icon: four times the largest in use (1024 × 1024), so that a decompression
    /// bomb costs little.
    package static let maxIconPixels = 2048 * 2048

    /// Reads an ordinary PNG, or one in the variant that Apple's tools put into bundles (`CgBI`).
    ///
    /// - Parameters:
    ///   - bytes: the whole file.
    ///   - maxPixels: larger images are refused from the header, before inflating, and so are sides over
    ///     4096 pixels.
    /// - Throws: ``MalformedImage``.
    package init(
        png bytes: [UInt8],
        maxPixels: Int = Raster.maxIconPixels,
    ) throws(MalformedImage) {
        let file = try PNGFile(reading: bytes, maxPixels: maxPixels)
        let header = file.header
        var data = try Zlib.inflate(
            file.data,
            file.isApple ? .none : .zlib,
            toExactly: header.dataSize,
        )
        var canvas = PNGCanvas(file)
        var start = 0
        for pass in header.passes {
            let rowSize = header.rowSize(width: pass.width)
            try PNGFilter.undo(
                in: &data,
                from: start,
                rows: pass.height,
                rowSize: rowSize,
                step: header.filterStep,
            )
            for row in 0..<pass.height {
                try canvas.place(row: row, of: pass, from: data, at: start + 1)
                start += rowSize + 1
            }
        }
        if file.isApple { canvas.straighten() }
        self.init(checked: header.width, header.height, canvas.pixels)
    }
}

/// The pixels of the image, which are filled row by row.
private struct PNGCanvas {
    let file: PNGFile
    var pixels: [UInt8]
    private let depth: Int
    /// The grey or RGB value that is transparent, in the file's bit depth.
    private let key: [Int]

    init(_ file: PNGFile) {
        self.file = file
        depth = file.header.depth
        pixels = [UInt8](repeating: 255, bounded: file.header.rasterSize)
        let transparency = file.transparency
        key =
            file.header.colour == .palette
            ? []
            : stride(from: 0, to: transparency.count - 1, by: 2).map {
                Int(transparency[$0]) << 8 | Int(transparency[$0 + 1])
            }
    }

    mutating func place(
        row: Int,
        of pass: PNGHeader.Pass,
        from data: [UInt8],
        at start: Int,
    ) throws(MalformedImage) {
        let width = file.header.width
        var target = ((pass.top + row * pass.down) * width + pass.left) * 4
        for x in 0..<pass.width {
            switch file.header.colour {
            case .grey:
                let grey = sample(x, data, start)
                set(target, repeating: scaled(grey))
                if key.first == grey { pixels[target + 3] = 0 }
            case .greyAlpha:
                set(target, repeating: scaled(sample(2 * x, data, start)))
                pixels[target + 3] = scaled(sample(2 * x + 1, data, start))
            case .rgb:
                for channel in 0..<3 {
                    pixels[target + channel] = scaled(sample(3 * x + channel, data, start))
                }
                if !key.isEmpty, (0..<3).allSatisfy({ key[$0] == sample(3 * x + $0, data, start) })
                {
                    pixels[target + 3] = 0
                }
            case .rgbAlpha:
                for channel in 0..<4 {
                    pixels[target + channel] = scaled(sample(4 * x + channel, data, start))
                }
            case .palette:
                let index = sample(x, data, start)
                guard index < file.palette.count / 3 else {
                    throw .paletteIndex(index, paletteSize: file.palette.count / 3)
                }
                for channel in 0..<3 {
                    pixels[target + channel] = file.palette[index * 3 + channel]
                }
                if index < file.transparency.count {
                    pixels[target + 3] = file.transparency[index]
                }
            }
            target += pass.across * 4
        }
    }

    /// Converts the pixels of Apple's variant to RGB order and straight alpha.
    mutating func straighten() {
        let colour = file.header.colour
        for at in stride(from: 0, to: pixels.count, by: 4) {
            if colour == .rgb || colour == .rgbAlpha { pixels.swapAt(at, at + 2) }
            let alpha = Int(pixels[at + 3])
            guard colour.hasAlpha, alpha != 255 else { continue }
            for channel in at..<at + 3 {
                let multiplied = Int(pixels[channel])
                pixels[channel] =
                    alpha == 0 ? 0 : UInt8(min(255, (multiplied * 255 + alpha / 2) / alpha))
            }
        }
    }

    private mutating func set(_ target: Int, repeating grey: UInt8) {
        pixels[target] = grey
        pixels[target + 1] = grey
        pixels[target + 2] = grey
    }

    /// Returns sample number `index` of the row that starts at `start`.
    @inline(__always)
    private func sample(_ index: Int, _ data: [UInt8], _ start: Int) -> Int {
        if depth == 8 { return Int(data[start + index]) }
        if depth == 16 {
            return Int(data[start + 2 * index]) << 8 | Int(data[start + 2 * index + 1])
        }
        let bit = index * depth
        return Int(data[start + (bit >> 3)]) >> (8 - depth - (bit & 7)) & ((1 << depth) - 1)
    }

    @inline(__always)
    private func scaled(_ sample: Int) -> UInt8 {
        if depth == 8 { return UInt8(sample) }
        let largest = (1 << depth) - 1
        return UInt8((sample * 255 + largest / 2) / largest)
    }
}
