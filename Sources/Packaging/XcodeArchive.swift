import Bytes
import Foundation
package import PropertyLists

/// What `xcodebuild archive` leaves: an app with its symbols and a description.
package struct XcodeArchive: Sendable {
    /// The folder, `App.xcarchive`.
    package let path: String
    /// The app's folder inside it, `Products/Applications/App.app`.
    package let application: String
    /// The app's own Info.plist.
    package let info: PropertyList
    /// What keeps it from being installed anywhere, if that shows without a look at the signature.
    package let defect: Defect?

    /// Why an app installs on no device.
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

    /// Reads the description of an archive.
    ///
    /// - Throws: ``PackageRefusal`` for anything but an archive of one app.
    package init(at path: String) throws(PackageRefusal) {
        let description = try Self.propertyList(path + "/Info.plist") {
            .notAnArchive(path, reason: $0)
        }
        guard description["ArchiveVersion"] != nil || description["ApplicationProperties"] != nil
        else { throw .notAnArchive(path, reason: "its Info.plist describes something else") }
        let stated = description["ApplicationProperties"]?["ApplicationPath"]?.string
        let application = try Self.application(stated, in: path)
        for folder in ["Products", "Products/Applications", application]
        where !Self.isFolder(path + "/" + folder) {
            throw .notAnArchive(path, reason: "\(folder) is no folder")
        }
        let bundle = path + "/" + application
        info = try Self.propertyList(bundle + "/Info.plist") {
            .notAnArchive(application, reason: $0)
        }
        self.path = path
        self.application = application
        defect =
            if !Self.isFile(bundle + "/_CodeSignature/CodeResources") {
                .unsigned
            } else if !Self.isFile(bundle + "/embedded.mobileprovision") {
                .noProfile
            } else {
                nil
            }
    }

    /// `App.app`.
    package var bundleName: String {
        application.split(separator: "/").last.map(String.init) ?? application
    }

    /// The path below `Products/` that the description gives, or the only app there.
    private static func application(
        _ stated: String?,
        in path: String,
    ) throws(PackageRefusal) -> String {
        if let stated {
            let parts = stated.split(separator: "/", omittingEmptySubsequences: false)
            guard parts.count == 2, parts[0] == "Applications", parts[1].hasSuffix(".app"),
                parts[1] != ".app", !stated.utf8.contains(0)
            else {
                throw .notAnArchive(
                    path,
                    reason: "its app is at \(PrintableText(escaping: stated))",
                )
            }
            return "Products/" + stated
        }
        let folder = path + "/Products/Applications"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let apps = names.filter { $0.hasSuffix(".app") }.sorted()
        guard apps.count <= 1 else { throw .severalApplications(apps) }
        guard let app = apps.first else { throw .noApplication(path) }
        return "Products/Applications/" + app
    }

    private static func propertyList(
        _ path: String,
        _ refusal: (String) -> PackageRefusal,
    ) throws(PackageRefusal) -> PropertyList {
        guard isFile(path) else { throw refusal("it has no Info.plist") }
        let limit = PropertyList.Limits.infoPlist.bytes
        do {
            let source = try FileSource(path: path)
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

    private static func isFolder(_ path: String) -> Bool { kind(path) == S_IFDIR }
    private static func isFile(_ path: String) -> Bool { kind(path) == S_IFREG }

    /// Not that of what a link leads to.
    private static func kind(_ path: String) -> mode_t? {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else { return nil }
        return status.st_mode & S_IFMT
    }
}
