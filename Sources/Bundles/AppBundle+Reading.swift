import Bytes
import PropertyLists
package import Zip

extension AppBundle {
    /// Limits on what is read into memory from an untrusted archive.
    package struct ReadingLimits: Sendable {
        /// The maximum number of bundles below the app.
        package let bundles: Int
        /// The maximum size of an Info.plist in bytes.
        package let infoPlist: Int
        /// The maximum size of a profile in bytes; one that lists 100 devices has 15,000.
        package let profile: Int
        /// The maximum size of all Info.plists and profiles together in bytes.
        package let total: Int

        package static let ipa = ReadingLimits(
            bundles: 512,
            infoPlist: 1 << 20,
            profile: 1 << 20,
            total: 4 << 20,
        )
    }

    /// Reads the app in an archive with all its nested bundles.
    ///
    /// - Throws: ``BundleRefusal`` when there is not exactly one app or its Info.plist cannot be read. A
    ///   nested bundle that cannot be read has ``defects`` instead.
    package init(
        in archive: ZipArchive,
        limits: ReadingLimits = .ipa,
    ) throws(BundleRefusal) {
        let root = try PayloadFolder(in: archive).application
        let tree = BundleTree(below: root, in: archive)
        guard tree.kinds.count <= limits.bundles else {
            throw .bundle(
                .tooManyBundles,
                place: root.text,
                detail:
                    "has \(tree.kinds.count.grouped) bundles, more than the "
                    + "\(limits.bundles.grouped) allowed",
            )
        }
        var reading = Reading(archive: archive, tree: tree, limits: limits, budget: limits.total)
        let application = reading.bundle(at: root, kind: .application)
        if let defect = application.defects.first { throw defect }
        self = application
    }
}

/// The state of reading an app's bundles, with one budget for everything that is read.
private struct Reading {
    let archive: ZipArchive
    let tree: BundleTree
    let limits: AppBundle.ReadingLimits
    var budget: Int

    mutating func bundle(at path: RelativePath, kind: BundleKind) -> AppBundle {
        var defects: [BundleRefusal] = []
        var info = InfoPlist.absent
        var profile: ProfileEnvelope?
        do throws(BundleRefusal) {
            if kind != .dynamicLibrary { info = try self.info(of: path) }
            if kind.hasOwnProfile { profile = try self.profile(of: path) }
        } catch {
            defects.append(error)
        }
        var nested: [AppBundle] = []
        for child in tree.children[path] ?? [] {
            guard let kind = tree.kinds[child] else { continue }
            nested.append(bundle(at: child, kind: kind))
        }
        return AppBundle(
            kind: kind,
            path: path,
            info: info,
            executable: kind == .dynamicLibrary ? archive[path] : executable(of: path, info),
            profile: profile,
            nested: nested,
            defects: defects,
        )
    }

    private mutating func info(of path: RelativePath) throws(BundleRefusal) -> InfoPlist {
        let place = (path / "Info.plist").text
        guard let entry = archive[path / "Info.plist"], entry.kind == .file else {
            let mac = archive[path / "Contents/Info.plist"] != nil
            throw .bundle(
                .infoMissing,
                place: place,
                detail: mac ? "is under Contents: this is a Mac app" : "there is no such file",
            )
        }
        guard entry.size <= limits.infoPlist else {
            throw .bundle(
                .infoMalformed,
                place: place,
                detail:
                    "has \(entry.size.grouped) bytes, more than the \(limits.infoPlist.grouped) allowed",
            )
        }
        let bytes = try bytes(of: entry)
        let reading: TolerantReading
        do throws(MalformedPropertyList) {
            reading = try TolerantReading(bytes, limits: .infoPlist.within(budget))
        } catch {
            throw .bundle(.infoMalformed, place: place, detail: "\(error)")
        }
        let values = reading.value
        guard values.dictionary != nil else {
            throw .bundle(
                .infoMalformed,
                place: place,
                detail: "is \(values.kindTitle), not a dictionary",
            )
        }
        budget = max(0, budget - values.weight)
        return InfoPlist(
            values: values,
            repeatedKeys: reading.repeatedKeys,
            isUTF16: reading.isUTF16,
        )
    }

    private mutating func profile(of path: RelativePath) throws(BundleRefusal) -> ProfileEnvelope? {
        let place = (path / "embedded.mobileprovision").text
        guard let entry = archive[path / "embedded.mobileprovision"], entry.kind == .file else {
            return nil
        }
        guard entry.size <= limits.profile else {
            return ProfileEnvelope(bytes: [], place: place)
        }
        return ProfileEnvelope(bytes: try bytes(of: entry), place: place)
    }

    private func executable(of path: RelativePath, _ info: InfoPlist) -> ZipEntry? {
        guard let name = info.executableName, !name.utf8.contains(UInt8(ascii: "/")),
            let entry = archive[path / RelativePath(name)], entry.kind == .file
        else { return nil }
        return entry
    }

    private mutating func bytes(of entry: ZipEntry) throws(BundleRefusal) -> [UInt8] {
        guard entry.size <= budget else {
            throw .bundle(
                .tooManyBundles,
                place: entry.path.text,
                detail: "more than \(limits.total.grouped) bytes of Info.plists and profiles",
            )
        }
        budget -= entry.size
        do throws(ZipRefusal) {
            return try archive.contents(of: entry, atMost: entry.size)
        } catch {
            throw .archive(error)
        }
    }
}

extension PropertyList.Limits {
    /// The same limits, with at most `budget` bytes of content.
    ///
    /// A binary property list of a few bytes may refer to one object thousands of times.
    fileprivate func within(_ budget: Int) -> PropertyList.Limits {
        PropertyList.Limits(
            bytes: bytes,
            depth: depth,
            objects: min(objects, budget / 64 + 1),
            content: min(content, budget),
        )
    }
}
