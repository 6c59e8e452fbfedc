extension QRCode {
    /// Returns the code as an image with its quiet zone, `scale` pixels per module.
    package func raster(scale: Int) -> Raster {
        let scale = max(1, scale)
        let side = (size + 2 * Self.quietZone) * scale
        var pixels = [UInt8](repeating: 255, count: side * side * 4)
        for y in 0..<side {
            for x in 0..<side
            where self[x / scale - Self.quietZone, y / scale - Self.quietZone] {
                for channel in 0..<3 { pixels[(y * side + x) * 4 + channel] = 0 }
            }
        }
        return Raster(checked: side, side, pixels)
    }
}
