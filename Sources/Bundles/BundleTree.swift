import Bytes
import Zip

/// The bundles of an app, found by paths alone in one pass over the entries.
///
/// A folder counts as a bundle where iOS looks for one: `PlugIns/*.appex` and `Extensions/*.appex` (iOS
/// 16) in apps of any kind, `Watch/*.app` and `AppClips/*.app` in the app itself, and
/// `Frameworks/*.framework` and `Frameworks/*.dylib` in each of these and in each other.
struct BundleTree {
    private(set) var kinds: [RelativePath: BundleKind] = [:]
    private(set) var children: [RelativePath: [RelativePath]] = [:]

    init(below root: RelativePath, in archive: ZipArchive) {
        for entry in archive.entries {
            if let path = entry.path.relative(to: root) { note(entry, at: path, below: root) }
        }
        for parent in children.keys { children[parent]?.sort() }
    }

    private mutating func note(
        _ entry: ZipEntry,
        at path: RelativePath,
        below root: RelativePath,
    ) {
        var bundle = root
        var host = BundleKind.application
        var rest = path
        while let (names, below) = rest.split(first: 2) {
            guard let kind = Self.kind(of: names[1], in: names[0]), host.isSearched(for: kind),
                Self.isThere(kind, entry, isEntryItself: below.isEmpty)
            else { return }
            let path = bundle / names[0] / names[1]
            if kinds.updateValue(kind, forKey: path) == nil {
                children[bundle, default: []].append(path)
            }
            bundle = path
            host = kind
            rest = below
        }
    }

    /// Whether an entry shows that the bundle exists.
    ///
    /// A library is a file, and the others are folders. Xcode leaves empty folders for frameworks that
    /// are part of the system, which do not count.
    private static func isThere(
        _ kind: BundleKind,
        _ entry: ZipEntry,
        isEntryItself: Bool,
    ) -> Bool {
        switch kind {
        case .dynamicLibrary: isEntryItself && entry.kind != .directory
        case .framework: !isEntryItself
        default: !isEntryItself || entry.kind == .directory
        }
    }

    private static func kind(of name: RelativePath, in folder: RelativePath) -> BundleKind? {
        switch (folder, name.fileExtension) {
        case ("PlugIns", "appex"), ("Extensions", "appex"): .appExtension
        case ("Frameworks", "framework"): .framework
        case ("Frameworks", "dylib"): .dynamicLibrary
        case ("Watch", "app"): .watchApplication
        case ("AppClips", "app"): .appClip
        default: nil
        }
    }
}

extension BundleKind {
    /// Whether iOS looks for bundles of `kind` in one of this kind; for example, `PlugIns` of a framework
    /// has only resources.
    fileprivate func isSearched(for kind: BundleKind) -> Bool {
        switch kind {
        case .appExtension: self == .application || self == .watchApplication || self == .appClip
        case .watchApplication, .appClip: self == .application
        case .application, .framework, .dynamicLibrary: true
        }
    }
}
