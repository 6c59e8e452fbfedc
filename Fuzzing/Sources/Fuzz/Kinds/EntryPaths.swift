import Bundles
import Bytes
import Zip

/// `path`: the bundles in an archive are determined only by the bytes of its names.
///
/// The input is names, one on each line; those of Info.plists contain a property list.
struct EntryPaths: PlainInputKind {
    static let name = "path"

    static func seeds(by authority: SeedAuthority) -> [String: [UInt8]] {
        let app = "Payload/A.app/Info.plist\n"
        let cases = [
            app + "Payload/A.app/PlugIns/E.appex/Info.plist\nPayload/A.app/Frameworks/l.dylib",
            app
                + "Payload/A.app/Watch/W.app/PlugIns/E.appex/Info.plist\nPayload/A.app/AppClips/C.app/",
            app + "Payload/\u{301}B.app/Info.plist", app + "Payload/A.app/PlugIns/\u{301}E.appex/a",
            app
                + "Payload/A.app/Frameworks/F.framework/F\nSwiftSupport/iphoneos/a\nPayload/.DS_Store",
            app
                + "Payload/A.app/a\u{301}\nPayload/A.app/\u{E1}b\nPayload/A.app/\u{1F468}\u{200D}\u{1F469}",
        ]
        return Dictionary(
            uniqueKeysWithValues: cases.enumerated().map { ("\($0)", Array($1.utf8)) }
        )
    }

    func check(_ input: [UInt8]) {
        let names = input.split(separator: 10).prefix(24).map { Array($0.prefix(200)) }
        for (index, name) in names.enumerated() {
            PathOracle.check(name, beside: names[(index + 1) % names.count])
        }
        let source = MemorySource(StoredArchive.bytes(of: names))
        let archive = accepted { () throws(ZipRefusal) in try ZipArchive(reading: source) }
        guard let archive else { return }
        promise(archive.entries.count == names.count, "entries are missing")
        for (entry, name) in zip(archive.entries, names) {
            let plain = name.last == slash ? Array(name.dropLast()) : name
            promise(entry.path.bytes == plain, "an entry has another path than its bytes")
            let last = plain.split(separator: slash).last ?? []
            promise(
                entry.name.bytes == Array(last),
                "an entry has another name than its bytes",
            )
            promise(archive[entry.path] == entry, "an entry is not found by its path")
        }
        let app = accepted { () throws(BundleRefusal) in try AppBundle(in: archive) }
        let apps = Self.applications(names)
        promise(app == nil || apps.count == 1, "one of \(apps.count) apps is taken")
        guard let app, let root = apps.first else { return }
        let found = Set(app.everyBundle.map(\.path.bytes))
        promise(
            found == Self.bundles(names, below: root),
            "bundles are hidden, or made up: \(app.everyBundle.map(\.path))",
        )
    }

    /// Every `Payload/X.app` that contains something.
    private static func applications(_ names: [[UInt8]]) -> Set<[UInt8]> {
        var found: Set<[UInt8]> = []
        for name in names {
            let parts = name.split(separator: slash)
            guard parts.count >= 2, parts[0].elementsEqual("Payload".utf8),
                ends(parts[1], with: ".app"), parts.count > 2 || name.last == slash
            else { continue }
            found.insert(Array(parts[..<2].joined(separator: [slash])))
        }
        return found
    }

    /// The app, and every bundle where iOS looks for one.
    private static func bundles(_ names: [[UInt8]], below root: [UInt8]) -> Set<[UInt8]> {
        var found: Set<[UInt8]> = [root]
        for name in names where name.starts(with: root + [slash]) {
            var parts = name.dropFirst(root.count + 1).split(separator: slash)[...]
            var path = root
            var host = Host.application
            while parts.count >= 2 {
                let (folder, bundle) = (parts.removeFirst(), parts.removeFirst())
                let isFolder = !parts.isEmpty || name.last == slash
                guard
                    let kind = Host.kind(of: bundle, in: folder, isFolder, isEmpty: parts.isEmpty),
                    host.looksFor(kind)
                else { break }
                path += [slash] + folder + [slash] + bundle
                found.insert(path)
                host = kind
            }
        }
        return found
    }

    private enum Host {
        case application, watch, clip, appExtension, code

        func looksFor(_ kind: Host) -> Bool {
            switch kind {
            case .appExtension: self == .application || self == .watch || self == .clip
            case .watch, .clip: self == .application
            case .application, .code: true
            }
        }

        static func kind(
            of bundle: ArraySlice<UInt8>,
            in folder: ArraySlice<UInt8>,
            _ isFolder: Bool,
            isEmpty: Bool,
        ) -> Host? {
            switch String(decoding: folder, as: UTF8.self) {
            case "PlugIns" where isFolder && ends(bundle, with: ".appex"): .appExtension
            case "Extensions" where isFolder && ends(bundle, with: ".appex"): .appExtension
            case "Watch" where isFolder && ends(bundle, with: ".app"): .watch
            case "AppClips" where isFolder && ends(bundle, with: ".app"): .clip
            case "Frameworks" where !isEmpty && ends(bundle, with: ".framework"): .code
            case "Frameworks" where !isFolder && ends(bundle, with: ".dylib"): .code
            default: nil
            }
        }
    }
}

private let slash = UInt8(ascii: "/")

/// Whether a name ends in `ending`, and has more than that.
private func ends(_ name: ArraySlice<UInt8>, with ending: String) -> Bool {
    name.count > ending.utf8.count && name.suffix(ending.utf8.count).elementsEqual(ending.utf8)
}

/// The behaviour of ``RelativePath``, implemented with plain arrays of bytes.
private enum PathOracle {
    static func check(_ name: [UInt8], beside other: [UInt8]) {
        let (path, second) = (RelativePath(name), RelativePath(other))
        let parts = name.split(separator: slash).map { Array($0) }
        promise(path.components.map(\.bytes) == parts, "a path has other components")
        let last = Array(name[(name.lastIndex(of: slash).map { $0 + 1 } ?? 0)...])
        promise(path.name.bytes == last, "a path has another name")
        promise(
            path.parent?.bytes == name.lastIndex(of: slash).map { Array(name[..<$0]) },
            "a path has another parent",
        )
        let slashes = name.indices.filter { name[$0] == slash }
        promise(
            path.folders.map(\.bytes) == slashes.map { Array(name[..<$0]) },
            "a path lies in other folders",
        )
        let dot = last.lastIndex(of: UInt8(ascii: ".")).flatMap { $0 > 0 ? $0 : nil }
        promise(
            path.fileExtension?.bytes == dot.map { Array(last[($0 + 1)...]) },
            "a path has another extension",
        )
        promise(path.stem.bytes == Array(last[..<(dot ?? last.count)]), "a path has another stem")
        promise((path == second) == (name == other), "paths are equal and their bytes are not")
        promise(path != second || path.hashValue == second.hashValue, "equal paths hash apart")
        promise(
            (path < second) == name.lexicographicallyPrecedes(other),
            "paths have another order than their bytes",
        )
        let folder = second.appending(path)
        promise(folder.bytes == other + [slash] + name, "a path is put together otherwise")
        promise(name.isEmpty || folder.isBelow(second), "a path is not below its folder")
        promise(
            name.isEmpty || folder.relative(to: second) == path,
            "a path is another from there",
        )
        promise(
            path.hasPrefix(second) == name.starts(with: other)
                && path.hasSuffix(second) == name.reversed().starts(with: other.reversed()),
            "a path begins or ends otherwise",
        )
        promise(
            path.isBelow(second)
                == (name.starts(with: other + [slash]) && name.count > other.count + 1),
            "a path is below another by its characters",
        )
    }
}

/// A ZIP archive of stored entries with names of any bytes.
private enum StoredArchive {
    private static let infoPlist = Array(
        """
        <?xml version="1.0" encoding="UTF-8"?><plist version="1.0"><dict>\
        <key>CFBundleIdentifier</key><string>a.b</string></dict></plist>
        """.utf8
    )
    private static let infoChecksum = PNGRepair.crc32(infoPlist)

    static func bytes(of names: [[UInt8]]) -> [UInt8] {
        var writer = ByteWriter()
        var directory = ByteWriter()
        for name in names {
            let isInfo = name.suffix(11).elementsEqual("/Info.plist".utf8)
            let contents = isInfo ? infoPlist : []
            var fields = ByteWriter()
            fields.littleEndian(UInt16(0x0800))
            fields.littleEndian(UInt16(0))
            fields.littleEndian(UInt32(0))
            fields.littleEndian(isInfo ? infoChecksum : 0)
            fields.littleEndian(UInt32(contents.count))
            fields.littleEndian(UInt32(contents.count))
            fields.littleEndian(UInt16(name.count))
            fields.littleEndian(UInt16(0))
            directory.littleEndian(UInt32(0x0201_4B50))
            directory.littleEndian(UInt16(0x0314))
            directory.littleEndian(UInt16(20))
            directory.append(fields.bytes)
            directory.append([0, 0, 0, 0, 0, 0])
            directory.littleEndian(UInt32(name.last == slash ? 0o40755 : 0o100644) << 16)
            directory.littleEndian(UInt32(writer.bytes.count))
            directory.append(name)
            writer.littleEndian(UInt32(0x0403_4B50))
            writer.littleEndian(UInt16(20))
            writer.append(fields.bytes)
            writer.append(name + contents)
        }
        let offset = writer.bytes.count
        writer.append(directory.bytes)
        writer.littleEndian(UInt32(0x0605_4B50))
        writer.littleEndian(UInt32(0))
        writer.littleEndian(UInt16(names.count))
        writer.littleEndian(UInt16(names.count))
        writer.littleEndian(UInt32(directory.bytes.count))
        writer.littleEndian(UInt32(offset))
        writer.littleEndian(UInt16(0))
        return writer.bytes
    }
}
