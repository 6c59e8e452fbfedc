import Bytes
import Foundation
import Packaging
import Problems
import PropertyLists

/// What a user gives to be signed: an IPA, an Xcode archive, or an app folder.
struct SignInput {
    /// The archive to sign; a folder is read as one.
    let source: any ByteSource
    /// Whether it was a folder, whose files have to be compressed.
    let isFolder: Bool
    /// The entitlements in Xcode's `.xcent` files beside an unsigned app, by the name of the bundle's
    /// folder.
    let archived: [RelativePath: PropertyList]

    /// - Throws: ``Problem`` or `PackageRefusal` if it is none of the three.
    init(_ path: String) throws {
        let path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
        var isDirectory: ObjCBool = false
        _ = unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory)
        guard isDirectory.boolValue else {
            source = try BuildFile(argument: path).source()
            isFolder = false
            archived = [:]
            return
        }
        isFolder = true
        if path.hasSuffix(".app") {
            source = try FolderArchive(application: path).source
            archived = [:]
        } else {
            source = try FolderArchive(of: XcodeArchive(at: path)).source
            archived = Self.claims(in: path)
        }
    }

    /// Reads `App.app.xcent`, which Xcode writes while it builds, if a CI job has put it into the archive.
    private static func claims(in folder: String) -> [RelativePath: PropertyList] {
        var claims: [RelativePath: PropertyList] = [:]
        for place in [folder, folder + "/Products", folder + "/Products/Applications"] {
            let names = (try? FileManager.default.contentsOfDirectory(atPath: place)) ?? []
            for name in names.sorted().prefix(1000) {
                guard let bundle = name.dropping(lastBytes: ".xcent"),
                    let bytes = try? TextInput.bytes(place + "/" + name, limit: 1 << 20),
                    let list = try? PropertyList(reading: bytes)
                else { continue }
                claims[RelativePath(bundle)] = list
            }
        }
        return claims
    }
}
