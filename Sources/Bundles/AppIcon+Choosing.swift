import Bytes
import Images
package import Zip

extension AppBundle {
    /// Selects the app's icon: the best candidate that can be read.
    ///
    /// Opens at most ``IconLimits/attempts`` files, each limited in bytes, side length and pixels.
    package func icon(in archive: ZipArchive) -> AppIcon {
        var broken: [AppIcon.Broken] = []
        for entry in IconCandidates(of: self, in: archive).entries.prefix(IconLimits.attempts) {
            do {
                let raster = try Self.raster(of: entry, in: archive)
                return AppIcon(.read(raster, from: entry.path.text), broken: broken)
            } catch MalformedImage.notPNG where !entry.path.isBelow(path) {
                // iTunesArtwork is as often a JPEG, which is not an error.
                continue
            } catch {
                broken.append(AppIcon.Broken(place: entry.path.text, reason: "\(error)"))
            }
        }
        let identifier = info.identifierText ?? path.text
        return AppIcon(.drawn(name: name, seed: identifier), broken: broken)
    }

    private static func raster(of entry: ZipEntry, in archive: ZipArchive) throws -> Raster {
        try Raster(png: archive.contents(of: entry, atMost: IconLimits.bytes))
    }
}

/// Limits for an untrusted icon.
enum IconLimits {
    static let attempts = 8
    static let bytes = 4 << 20
}
