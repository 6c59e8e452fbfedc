package import Images

/// An app's icon, and the files of the archive that could not be used as one.
package struct AppIcon: Equatable, Sendable {
    package enum Origin: Equatable, Sendable {
        /// A file of the archive.
        case file(String)
        /// Drawn here, because no file of the archive could be used.
        case placeholder
    }

    /// An icon file that is not a readable PNG.
    package struct Broken: Equatable, Sendable {
        package let place: String
        package let reason: String
    }

    /// The source of the picture; a placeholder is drawn only when it is needed.
    enum Picture: Equatable, Sendable {
        case read(Raster, from: String)
        case drawn(name: String, seed: String)
    }

    private let picture: Picture
    package let broken: [Broken]

    init(_ picture: Picture, broken: [Broken]) {
        self.picture = picture
        self.broken = broken
    }

    package var origin: Origin {
        switch picture {
        case .read(_, let path): .file(path)
        case .drawn: .placeholder
        }
    }

    /// A placeholder is drawn on every access.
    package var raster: Raster {
        switch picture {
        case .read(let raster, _): raster
        case .drawn(let name, let seed): .placeholder(name: name, seed: seed, side: 512)
        }
    }

    /// The two sizes that the manifest refers to, as ordinary PNGs.
    package var set: IconSet {
        let raster = raster
        return IconSet(
            png57: raster.scaled(to: 57, height: 57).png(),
            png512: raster.scaled(to: 512, height: 512).png(),
        )
    }
}

/// The images for `display-image` and `full-size-image` of an install manifest.
package struct IconSet: Equatable, Sendable {
    package let png57: [UInt8]
    package let png512: [UInt8]

    package init(png57: [UInt8], png512: [UInt8]) {
        self.png57 = png57
        self.png512 = png512
    }
}
