import Bytes
import Images

/// `icon`: an app's icon is read within the server's limits, and scaling it preserves its colours.
///
/// The input is the width and height to scale to, a byte each, and a PNG. The memory limit is set by the run
/// itself, which aborts on a large allocation.
struct Icons: PlainInputKind {
    static let name = "icon"

    static func seeds(by authority: SeedAuthority) -> [String: [UInt8]] {
        var seeds: [String: [UInt8]] = [:]
        for (name, picture) in Pictures.seeds(by: authority) { seeds[name] = [9, 7] + picture }
        for (width, height) in [(1, 60_000), (60_000, 1), (400, 400)] as [(UInt32, UInt32)] {
            seeds["\(width)x\(height)"] = [57, 57] + Self.blank(width, height)
        }
        return seeds
    }

    /// One bit per pixel; missing rows are repeated when it is read.
    private static func blank(_ width: UInt32, _ height: UInt32) -> [UInt8] {
        var header = ByteWriter()
        header.bigEndian(width)
        header.bigEndian(height)
        header.append([1, 0, 0, 0, 0])
        return PNGRepair.file([
            (Array("IHDR".utf8), header.bytes), (Array("IDAT".utf8), Array(0..<16)),
            (Array("IEND".utf8), []),
        ])
    }

    func check(_ input: [UInt8]) {
        guard input.count > 2 else { return }
        let repair = PNGRepair(Array(input.dropFirst(2)))
        for bytes in [repair.withRows, repair.withAllRows(atMost: 128 << 10)].compactMap(\.self) {
            let picture = accepted { () throws(MalformedImage) in try Raster(png: bytes) }
            if let picture { return check(picture, Int(input[0]), Int(input[1])) }
        }
    }

    private func check(_ picture: Raster, _ width: Int, _ height: Int) {
        promise(
            picture.width * picture.height <= Raster.maxIconPixels,
            "a picture has more pixels than allowed",
        )
        let icon = picture.scaled(to: width, height: height)
        promise(
            icon.width == max(1, width) && icon.height == max(1, height)
                && icon.pixels.count == 4 * icon.width * icon.height,
            "the icon has another size than was asked for",
        )
        guard picture.pixels.count <= 16 << 10 else { return }
        let isOpaque = picture.isOpaque
        promise(!isOpaque || icon.isOpaque, "scaling makes a picture shine through")
        if isOpaque, icon.width <= picture.width, icon.height <= picture.height {
            checkAverages(picture, icon)
        }
    }

    /// An icon that is scaled down on both sides has the average of the area that each pixel covers.
    private func checkAverages(_ picture: Raster, _ icon: Raster) {
        let across = Double(picture.width) / Double(icon.width)
        let down = Double(picture.height) / Double(icon.height)
        // The corners and the middle are sufficient, and fast.
        for y in Set([0, icon.height / 2, icon.height - 1]) {
            for x in Set([0, icon.width / 2, icon.width - 1]) {
                let columns = Double(x) * across..<Double(x + 1) * across
                let rows = Double(y) * down..<Double(y + 1) * down
                for channel in 0..<3 {
                    let wanted = Self.average(of: picture, channel, columns, rows)
                    let found = Double(icon.pixels[(y * icon.width + x) * 4 + channel])
                    promise(abs(wanted - found) <= 1, "\(found) is not the average \(wanted)")
                }
            }
        }
    }

    private static func average(
        of picture: Raster,
        _ channel: Int,
        _ columns: Range<Double>,
        _ rows: Range<Double>,
    ) -> Double {
        var sum = 0.0
        for y in Int(rows.lowerBound)..<min(picture.height, Int(rows.upperBound.rounded(.up))) {
            let high = min(rows.upperBound, Double(y + 1)) - max(rows.lowerBound, Double(y))
            for x in Int(
                columns.lowerBound
            )..<min(picture.width, Int(columns.upperBound.rounded(.up))) {
                let wide =
                    min(columns.upperBound, Double(x + 1)) - max(columns.lowerBound, Double(x))
                sum += high * wide * Double(picture.pixels[(y * picture.width + x) * 4 + channel])
            }
        }
        let area =
            (columns.upperBound - columns.lowerBound) * (rows.upperBound - rows.lowerBound)
        return sum / area
    }
}
