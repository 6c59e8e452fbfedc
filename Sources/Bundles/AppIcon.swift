package import Images

/// The picture that stands for an app, and what of the archive's own icons could not be used.
package struct AppIcon: Equatable, Sendable {
    package enum Origin: Equatable, Sendable {
        /// A file of the archive.
        case file(String)
        /// Drawn here, because no file could be used.
        case placeholder
    }

    /// A file that was meant to be the icon and is no readable PNG.
    package struct Broken: Equatable, Sendable {
        package let place: String
        package let reason: String
    }

    package let raster: Raster
    package let origin: Origin
    package let broken: [Broken]

    /// The two sizes that the manifest links to, as ordinary PNG.
    package var set: IconSet {
        IconSet(
            png57: raster.scaled(to: 57, height: 57).png(),
            png512: raster.scaled(to: 512, height: 512).png(),
        )
    }
}

/// `display-image` and `full-size-image` of an install manifest.
package struct IconSet: Equatable, Sendable {
    package let png57: [UInt8]
    package let png512: [UInt8]

    package init(png57: [UInt8], png512: [UInt8]) {
        self.png57 = png57
        self.png512 = png512
    }
}
