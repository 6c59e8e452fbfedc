import Bytes
package import Problems

/// Why an archive of Xcode cannot be packed to an IPA.
package enum PackageRefusal: ReportableError, Hashable, Sendable {
    /// There is no folder, or it has no Info.plist of an archive.
    case notAnArchive(String, reason: String)
    /// The archive contains no app: it is empty, or of a framework or a tool.
    case noApplication(String)
    case severalApplications([String])
    /// An entry is a device, a pipe or a socket.
    case special(String)
    case escapingLink(String, reason: String)
    /// A file name is not UTF-8 or has control characters.
    case badName(String)
    case tooMany(entries: Int)
    case tooLarge(bytes: Int)
    case tooDeep(String)
    /// Another program changed a file in the meantime.
    case changed(String)
    case unreadable(String, reason: String)
    case unwritable(String, reason: String)
    /// The packed file is not an archive that phones and servers accept.
    case unusable(String, place: String)
}

extension PackageRefusal: CustomStringConvertible {
    package var description: String {
        switch self {
        case .notAnArchive(_, let reason): "this is not an Xcode archive: \(reason)"
        case .noApplication: "the archive contains no app"
        case .severalApplications(let names): "the archive contains several apps: \(quoted: names)"
        case .special: "the archive contains something other than files, folders and links"
        case .escapingLink(_, let reason): "a link \(reason)"
        case .badName(let name): "the name \(quoted: name) is not allowed in an IPA"
        case .tooMany(let limit): "the app has more than \(limit.grouped) files"
        case .tooLarge(let limit): "the app has more than \(limit.grouped) bytes"
        case .tooDeep: "folders are nested too deeply"
        case .changed: "the file changed while it was packed"
        case .unreadable(_, let reason): "the file cannot be read: \(reason)"
        case .unwritable(_, let reason): "the IPA cannot be written: \(reason)"
        case .unusable(let reason, _): "the IPA would not be usable: \(reason)"
        }
    }

    package var kind: Problem.Kind {
        switch self {
        case .tooMany, .tooLarge, .tooDeep: .tooLarge
        case .unreadable, .unwritable: .unavailable
        case .changed: .conflict
        case .notAnArchive, .noApplication, .severalApplications, .special, .escapingLink, .badName,
            .unusable:
            .invalid
        }
    }

    /// Stable across releases of `ota`.
    package var id: String {
        switch self {
        case .notAnArchive: "package.not-an-archive"
        case .noApplication: "package.no-application"
        case .severalApplications: "package.several-applications"
        case .special: "package.special-file"
        case .escapingLink: "package.escaping-link"
        case .badName: "package.bad-name"
        case .tooMany, .tooLarge, .tooDeep: "package.too-large"
        case .changed: "package.changed"
        case .unreadable: "package.unreadable"
        case .unwritable: "package.unwritable"
        case .unusable: "package.unusable"
        }
    }

    package var place: String {
        switch self {
        case .notAnArchive(let path, _), .noApplication(let path), .special(let path),
            .escapingLink(let path, _), .badName(let path), .tooDeep(let path),
            .changed(let path), .unreadable(let path, _), .unwritable(let path, _),
            .unusable(_, let path):
            path
        case .severalApplications, .tooMany, .tooLarge: ""
        }
    }

    package var fix: String {
        switch self {
        case .notAnArchive:
            "give the folder that `xcodebuild archive -archivePath App.xcarchive` wrote"
        case .noApplication:
            "archive the app's scheme, with SKIP_INSTALL set to NO for the app and YES for what "
                + "it embeds"
        case .severalApplications: "archive one app at a time"
        case .special, .badName: "remove it from the app's resources"
        case .escapingLink: "copy the file itself into the app"
        case .tooMany, .tooLarge, .tooDeep: "remove files that do not belong in the app"
        case .changed: "package the archive after the build has finished"
        case .unreadable: "check the permissions of the archive"
        case .unwritable: "check the folder, its permissions and the free space"
        case .unusable: "fix the problem and archive again"
        }
    }
}
