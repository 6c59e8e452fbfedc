import Bytes
import Images

/// `png`: an accepted image is within the limits, and the same after it is written and read again.
struct Pictures: PlainInputKind {
    static let name = "png"

    private static let greatestPixels = 128 * 128

    /// The data chunks contain raw rows; ``PNGRepair`` adds the rest.
    static func seeds(by authority: SeedAuthority) -> [String: [UInt8]] {
        let forms: [(String, [UInt8], Int)] = [
            ("grey-1", [1, 0, 0, 0, 0], 2), ("grey-16", [16, 0, 0, 0, 0], 9),
            ("rgb", [8, 2, 0, 0, 0], 13), ("palette-4", [4, 3, 0, 0, 0], 3),
            ("grey-alpha", [8, 4, 0, 0, 0], 9), ("rgba", [8, 6, 0, 0, 0], 17),
            ("rgba-interlaced", [8, 6, 0, 0, 1], 24),
        ]
        var seeds: [String: [UInt8]] = [
            "written": Raster.placeholder(name: "A", seed: "a", side: 16).png()
        ]
        for (name, form, rowSize) in forms {
            for isApple in [false, true] where !isApple || form[1] & 2 != 0 {
                seeds[name + (isApple ? "-apple" : "")] = file(form, rowSize, isApple: isApple)
            }
        }
        return seeds
    }

    /// Four by four pixels, with a different filter in each row.
    private static func file(_ form: [UInt8], _ rowSize: Int, isApple: Bool) -> [UInt8] {
        let rows = (0..<4).flatMap { row in
            [UInt8(row)] + (1..<rowSize).map { UInt8(truncatingIfNeeded: $0 * 7 + row) }
        }
        var chunks: [(type: [UInt8], body: [UInt8])] = [
            (Array("IHDR".utf8), [0, 0, 0, 4, 0, 0, 0, 4] + form)
        ]
        if isApple { chunks.insert((Array("CgBI".utf8), [0x50, 0, 0x20, 2]), at: 0) }
        if form[1] == 3 {
            chunks.append((Array("PLTE".utf8), Array(0..<48)))
            chunks.append((Array("tRNS".utf8), [0, 128]))
        }
        return PNGRepair.file(chunks + [(Array("IDAT".utf8), rows), (Array("IEND".utf8), [])])
    }

    func check(_ input: [UInt8]) {
        let repair = PNGRepair(input)
        for bytes in [input, repair.withChecksums, repair.withRows] {
            let picture = accepted { () throws(MalformedImage) in
                try Raster(png: bytes, maxPixels: Self.greatestPixels)
            }
            if let picture { return check(picture) }
        }
    }

    private func check(_ picture: Raster) {
        let count = picture.width * picture.height
        promise(count <= Self.greatestPixels, "more pixels than allowed")
        promise(picture.pixels.count == 4 * count, "pixels are missing")
        let again = accepted { () throws(MalformedImage) in
            try Raster(png: picture.png(), maxPixels: Self.greatestPixels)
        }
        promise(again == picture, "the picture is not read as it was written")
        let icon = picture.scaled(to: 9, height: 7)
        promise(icon.pixels.count == 4 * 63, "the scaled picture has another size")
        promise(!picture.isOpaque || icon.isOpaque, "scaling made a picture shine through")
    }
}
