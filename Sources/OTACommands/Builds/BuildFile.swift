import ArgumentParser
import Bytes
import Foundation
import Problems

/// A build given by its path: an IPA.
struct BuildFile: ExpressibleByArgument {
    let path: String

    init(argument: String) {
        path = argument
    }

    /// Opens the file.
    ///
    /// - Throws: ``Problem`` that names the file, or the command that makes an IPA from a folder.
    func source() throws -> FileSource {
        if let folder = Problem(folder: path) { throw folder }
        do {
            return try FileSource(path: path)
        } catch let failure {
            throw Problem(unreadable: path, because: failure.reason)
        }
    }
}

extension Problem {
    /// A given file cannot be read, or does not exist.
    init(unreadable path: String, because reason: String) {
        let isThere = path.isEmpty || FileManager.default.fileExists(atPath: path)
        self.init(
            id: "input.unreadable",
            kind: .unavailable,
            message: isThere ? "\(path) cannot be read: \(reason)" : "there is no file \(path)",
            place: path,
            fix: isThere ? "check the path and its permissions" : "check the path",
        )
    }
}

extension Problem {
    /// Explains what to do with a folder, which Finder may show as a file; nil if the path is not a folder.
    fileprivate init?(folder path: String) {
        var isFolder: ObjCBool = false
        guard unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder),
            isFolder.boolValue
        else { return nil }
        let name = URL(filePath: path).lastPathComponent
        let (kind, fix) =
            switch URL(filePath: path).pathExtension.lowercased() {
            case "xcarchive":
                (
                    "an Xcode archive, not an IPA",
                    "make an IPA of it: `ota package \(name) --output App.ipa` if Xcode has signed it, "
                        + "or else `ota sign \(name) --output App.ipa`",
                )
            case "app":
                (
                    "an app bundle, not an IPA",
                    "make an IPA of it with `ota sign \(name) --output App.ipa`, or export one in Xcode",
                )
            default: ("a folder, not an IPA", "give the .ipa in it")
            }
        self.init(
            id: "input.folder",
            kind: .invalid,
            message: "\(path) is \(kind)",
            place: path,
            fix: fix,
        )
    }
}
