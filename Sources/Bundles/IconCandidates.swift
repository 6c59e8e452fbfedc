import Bytes
import PropertyLists
import Zip

/// The files that could be the app's icon, the best first.
///
/// The order of groups is that of iOS ("CFBundleIcons", "CFBundleIconFiles", "CFBundleIconFile", QA1686),
/// then iTunes artwork, then files whose names look like an icon; in each group, the largest comes first.
struct IconCandidates {
    private(set) var entries: [ZipEntry] = []
    private var seen: Set<RelativePath> = []

    init(of bundle: AppBundle, in archive: ZipArchive) {
        let files = Files(of: bundle, in: archive)
        for names in Self.named(in: bundle.info) {
            append(names.flatMap(files.variants(of:)))
        }
        append(files.inBundle.filter { Self.isLegacy($0.name) })
        append(
            (["iTunesArtwork@2x", "iTunesArtwork"] as [RelativePath]).compactMap { archive[$0] }
        )
        append(files.inBundle.filter { $0.name.hasPrefix("AppIcon") })
    }

    private mutating func append(_ group: [ZipEntry]) {
        let ranked = group.map { (entry: $0, rank: IconRank($0)) }
            .sorted { $0.rank > $1.rank }
        for candidate in ranked where seen.insert(candidate.entry.path).inserted {
            entries.append(candidate.entry)
        }
    }

    /// The names in Info.plist, one group for each key.
    private static func named(in info: InfoPlist) -> [[String]] {
        let primary = ["CFBundleIcons", "CFBundleIcons~ipad"].flatMap { key in
            info.values[key]?["CFBundlePrimaryIcon"]?["CFBundleIconFiles"]?.array ?? []
        }
        return [
            primary.compactMap(\.string),
            (info.values["CFBundleIconFiles"]?.array ?? []).compactMap(\.string),
            [info.values["CFBundleIconFile"]?.string].compactMap(\.self),
        ]
    }

    /// `Icon.png`, `Icon@2x.png`, `Icon-72.png`: the names used before there were keys for icons.
    private static func isLegacy(_ name: RelativePath) -> Bool {
        guard name.hasPrefix("Icon") else { return false }
        let rest = name.bytes.dropFirst("Icon".utf8.count)
        return switch rest.first {
        case UInt8(ascii: "."), UInt8(ascii: "@"), UInt8(ascii: "~"): true
        case UInt8(ascii: "-"): rest.dropFirst().first.map(IconRank.isDigit) == true
        default: false
        }
    }

    /// The PNG files directly in the bundle's folder.
    private struct Files {
        let inBundle: [ZipEntry]
        private let byStem: [RelativePath: [ZipEntry]]

        init(of bundle: AppBundle, in archive: ZipArchive) {
            let files = archive.entries.filter { entry in
                entry.kind == .file && entry.path.hasSuffix(".png")
                    && entry.path.parent == bundle.path
            }
            inBundle = files
            byStem = Dictionary(grouping: files) { Self.stem(of: $0.name) }
        }

        /// Every scale and idiom of `name`, which may itself include either.
        func variants(of name: String) -> [ZipEntry] {
            byStem[Self.stem(of: RelativePath(name))] ?? []
        }

        /// Returns `AppIcon60x60` for `AppIcon60x60@2x~ipad.png`.
        private static func stem(of name: RelativePath) -> RelativePath {
            let bare = name.hasSuffix(".png") ? name.bytes.dropLast(4) : name.bytes[...]
            return RelativePath(bare.prefix(while: IconRank.isOfStem))
        }
    }
}

/// The probable size of an icon: by the points and scale in its name, then by its file size.
private struct IconRank: Comparable {
    private let pixels: Double
    private let bytes: Int

    init(_ entry: ZipEntry) {
        let name = entry.name.text
        let scale: Double =
            name.containsBytes(of: "@3x") ? 3 : name.containsBytes(of: "@2x") ? 2 : 1
        pixels = Self.points(in: name) * scale
        bytes = entry.size
    }

    static func < (left: IconRank, right: IconRank) -> Bool {
        (left.pixels, left.bytes) < (right.pixels, right.bytes)
    }

    static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    /// Whether a byte of a name belongs to the part before its scale and idiom.
    static func isOfStem(_ byte: UInt8) -> Bool {
        byte != UInt8(ascii: "@") && byte != UInt8(ascii: "~")
    }

    /// Returns 83.5 for `AppIcon83.5x83.5@2x~ipad.png`; 57, the size for the first iPhone, without a
    /// number.
    private static func points(in name: String) -> Double {
        let numbers = name.utf8.prefix(while: isOfStem)
            .split { !isDigit($0) && $0 != UInt8(ascii: ".") }
            .compactMap { Double(String(decoding: $0, as: UTF8.self)) }
        guard let points = numbers.last, (16...1024).contains(points) else { return 57 }
        return points
    }
}
