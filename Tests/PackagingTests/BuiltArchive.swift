import Foundation
import PropertyLists
import TestSupport

/// An archive as `xcodebuild archive` makes it, in a folder of its own.
struct BuiltArchive {
    let folder: URL

    static func with<Result>(_ body: (BuiltArchive) throws -> Result) async throws -> Result {
        try await withTemporaryFolder { folder in
            let archive = BuiltArchive(folder: folder.appending(path: "App.xcarchive"))
            try archive.describe([
                "ApplicationProperties": .dictionary([
                    "ApplicationPath": .string("Applications/App.app")
                ]),
                "ArchiveVersion": .integer(2),
            ])
            try archive.write(
                PropertyList.dictionary([
                    "CFBundleIdentifier": .string("com.example.app"),
                    "CFBundleShortVersionString": .string("1.2.0"),
                ]).xml(),
                to: "Info.plist",
            )
            try archive.write(Array("code".utf8), to: "App", mode: 0o755)
            try archive.write(Array("seal".utf8), to: "_CodeSignature/CodeResources")
            try archive.write(Array("profile".utf8), to: "embedded.mobileprovision")
            try archive.write([], to: "Assets/empty")
            return try body(archive)
        }
    }

    var path: String { folder.path(percentEncoded: false) }
    var output: String { folder.deletingLastPathComponent().appending(path: "App.ipa").path() }

    func describe(_ description: [String: PropertyList]) throws {
        try put(
            PropertyList.dictionary(description).xml(),
            at: folder.appending(path: "Info.plist"),
            mode: 0o644,
        )
    }

    /// Writes a file of the app.
    func write(_ bytes: [UInt8], to name: String, mode: Int = 0o644) throws {
        try put(bytes, at: place(name), mode: mode)
    }

    func place(_ name: String) -> URL {
        folder.appending(path: "Products/Applications/App.app").appending(path: name)
    }

    func put(_ bytes: [UInt8], at file: URL, mode: Int) throws {
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(),
            withIntermediateDirectories: true,
        )
        try Data(bytes).write(to: file)
        try FileManager.default.setAttributes(
            [.posixPermissions: mode],
            ofItemAtPath: file.path(percentEncoded: false),
        )
    }
}
