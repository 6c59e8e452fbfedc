import Zip

/// Where the bundles of an app lie, from the paths alone.
///
/// One pass over the entries; a folder counts as a bundle where iOS looks for one:
/// `PlugIns/*.appex` and `Extensions/*.appex` (iOS 16) in apps of any kind, `Watch/*.app` and
/// `AppClips/*.app` in the app itself, `Frameworks/*.framework` and `Frameworks/*.dylib` in each of
/// these and in each other.
struct BundleTree {
    private(set) var kinds: [String: BundleKind] = [:]
    private(set) var children: [String: [String]] = [:]

    init(below root: String, in archive: ZipArchive) {
        let prefix = root + "/"
        for entry in archive.entries where entry.path.hasPrefix(prefix) {
            note(entry, below: root)
        }
        for parent in children.keys { children[parent]?.sort() }
    }

    private mutating func note(_ entry: ZipEntry, below root: String) {
        var bundle = root
        var host = BundleKind.application
        var rest = entry.path.dropFirst(root.count + 1)
        while let (folder, name, below) = Self.firstTwo(of: rest) {
            guard let kind = Self.kind(of: name, in: folder), host.isSearched(for: kind),
                Self.isThere(kind, entry, isEntryItself: below.isEmpty)
            else { return }
            let path = "\(bundle)/\(folder)/\(name)"
            if kinds.updateValue(kind, forKey: path) == nil {
                children[bundle, default: []].append(path)
            }
            bundle = path
            host = kind
            rest = below
        }
    }

    /// `PlugIns`, `W.appex` and what follows.
    private static func firstTwo(
        of path: Substring
    ) -> (folder: Substring, name: Substring, below: Substring)? {
        let parts = path.split(separator: "/", maxSplits: 2)
        guard parts.count >= 2 else { return nil }
        return (parts[0], parts[1], parts.count > 2 ? parts[2] : "")
    }

    /// A library is a file and the others are folders; Xcode leaves empty folders of frameworks that
    /// the system has, which are nothing.
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

    private static func kind(of name: Substring, in folder: Substring) -> BundleKind? {
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return nil }
        return switch (folder, name[dot...]) {
        case ("PlugIns", ".appex"), ("Extensions", ".appex"): .appExtension
        case ("Frameworks", ".framework"): .framework
        case ("Frameworks", ".dylib"): .dynamicLibrary
        case ("Watch", ".app"): .watchApplication
        case ("AppClips", ".app"): .appClip
        default: nil
        }
    }
}

extension BundleKind {
    /// Whether iOS looks for bundles of that kind in one of this kind: what a framework carries in
    /// `PlugIns` is a resource.
    fileprivate func isSearched(for kind: BundleKind) -> Bool {
        switch kind {
        case .appExtension: self == .application || self == .watchApplication || self == .appClip
        case .watchApplication, .appClip: self == .application
        case .application, .framework, .dynamicLibrary: true
        }
    }
}
