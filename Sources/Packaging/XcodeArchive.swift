package import Bytes
package import PropertyLists

/// The result of `xcodebuild archive`: an app with its symbols and a description.
package struct XcodeArchive: Sendable {
    /// The folder, `App.xcarchive`.
    package let path: String
    /// The app's folder inside it, `Products/Applications/App.app`.
    package let application: String
    /// The app's own Info.plist.
    package let info: PropertyList
    /// Why it cannot be installed on any device, as far as this is visible without checking the
    /// signature; nil otherwise.
    package let defect: Defect?

    /// Why an app cannot be installed on any device.
    package enum Defect: String, Sendable, CustomStringConvertible {
        case unsigned
        case noProfile

        package var description: String {
            switch self {
            case .unsigned: "the app is not signed, so no phone installs it"
            case .noProfile: "the app has no embedded.mobileprovision, so no phone installs it"
            }
        }
    }

    private let folder: OpenFolder

    /// Reads the description of the archive at a path.
    ///
    /// - Throws: ``PackageRefusal`` for anything but an archive with one app.
    package init(at path: String) throws(PackageRefusal) {
        let folder: OpenFolder
        do throws(SourceFailure) {
            folder = try OpenFolder(path: path)
        } catch {
            throw .notAnArchive(path, reason: "it has no Info.plist")
        }
        try self.init(in: folder, named: path)
    }

    /// Reads the description of an archive in an open folder, without following links.
    ///
    /// - Throws: ``PackageRefusal`` for anything but an archive with one app.
    package init(in folder: OpenFolder) throws(PackageRefusal) {
        try self.init(in: folder, named: "the archive")
    }

    private init(in folder: OpenFolder, named path: String) throws(PackageRefusal) {
        let description = try Self.propertyList("Info.plist", in: folder) {
            .notAnArchive(path, reason: $0)
        }
        guard description["ArchiveVersion"] != nil || description["ApplicationProperties"] != nil
        else { throw .notAnArchive(path, reason: "its Info.plist describes something else") }
        let stated = description["ApplicationProperties"]?["ApplicationPath"]?.string
        let application = try Self.application(stated, in: folder, named: path)
        for name in ["Products", "Products/Applications", application]
        where folder.status(of: name)?.kind != .folder {
            throw .notAnArchive(path, reason: "\(name) is not a folder")
        }
        info = try Self.propertyList(application + "/Info.plist", in: folder) {
            .notAnArchive(application, reason: $0)
        }
        self.path = path
        self.folder = folder
        self.application = application
        defect =
            if !Self.isFile(application + "/_CodeSignature/CodeResources", in: folder) {
                .unsigned
            } else if !Self.isFile(application + "/embedded.mobileprovision", in: folder) {
                .noProfile
            } else {
                nil
            }
    }

    /// Opens the app's folder.
    func openApplication() throws(PackageRefusal) -> OpenFolder {
        do throws(SourceFailure) {
            return try folder.folder(at: application)
        } catch {
            throw .unreadable(application, reason: error.reason)
        }
    }

    /// The value in the app's Info.plist, which may be invalid; nil when it has none.
    package var bundleIdentifier: String? { info["CFBundleIdentifier"]?.string }

    /// The name of the app's folder, `App.app`.
    package var bundleName: String {
        application.pathParts.last ?? application
    }

    /// The path below `Products/` in the description, or else of the only app there.
    private static func application(
        _ stated: String?,
        in folder: OpenFolder,
        named path: String,
    ) throws(PackageRefusal) -> String {
        if let stated {
            let parts = stated.pathParts
            guard parts.count == 2, parts[0].isBytes(of: "Applications"),
                parts[1].hasBytes(last: ".app"),
                !parts[1].isBytes(of: ".app"), !stated.utf8.contains(0)
            else {
                throw .notAnArchive(
                    path,
                    reason: "its app is at \(PrintableText(escaping: stated))",
                )
            }
            return "Products/" + stated
        }
        let names = (try? folder.folder(at: "Products/Applications").names(atMost: 10_000)) ?? []
        let apps = names.map { String(decoding: $0, as: UTF8.self) }
            .filter { $0.hasBytes(last: ".app") }.sorted()
        guard apps.count <= 1 else { throw .severalApplications(apps) }
        guard let app = apps.first else { throw .noApplication(path) }
        return "Products/Applications/" + app
    }

    private static func propertyList(
        _ path: String,
        in folder: OpenFolder,
        _ refusal: (String) -> PackageRefusal,
    ) throws(PackageRefusal) -> PropertyList {
        guard isFile(path, in: folder) else { throw refusal("it has no Info.plist") }
        let limit = PropertyList.Limits.infoPlist.bytes
        do {
            let source = try folder.file(at: path)
            guard source.count <= limit else {
                throw MalformedPropertyList(.tooLarge(limit: limit))
            }
            return try PropertyList(reading: source.bytes(at: 0, count: source.count))
        } catch let failure as SourceFailure {
            throw refusal("its Info.plist \(failure)")
        } catch {
            throw refusal("its Info.plist is damaged: \(error)")
        }
    }

    /// Whether it is a regular file, not a link to one.
    private static func isFile(_ path: String, in folder: OpenFolder) -> Bool {
        if case .file? = folder.status(of: path)?.kind { true } else { false }
    }
}
