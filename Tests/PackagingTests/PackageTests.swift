import Bytes
import Foundation
import Packaging
import PropertyLists
import TestSupport
import Testing
import Zip

struct PackageTests {
    private func packed(_ archive: BuiltArchive) throws -> ZipArchive {
        _ = try Package(of: XcodeArchive(at: archive.path)).write(to: archive.output)
        return try ZipArchive(reading: FileSource(path: archive.output))
    }

    @Test func `an archive becomes an IPA of the app alone`() async throws {
        try await BuiltArchive.with { archive in
            for extra in ["dSYMs/App.dSYM/x", "SwiftSupport/iphoneos/libswiftCore.dylib"] {
                try archive.put([1], at: archive.folder.appending(path: extra), mode: 0o644)
            }
            try archive.write([9], to: ".DS_Store")
            try FileManager.default.createSymbolicLink(
                atPath: archive.place("Assets/link").path(),
                withDestinationPath: "../App",
            )
            let zip = try packed(archive)
            #expect(
                zip.entries.map(\.path) == [
                    "Payload", "Payload/App.app", "Payload/App.app/App", "Payload/App.app/Assets",
                    "Payload/App.app/Assets/empty", "Payload/App.app/Assets/link",
                    "Payload/App.app/Info.plist", "Payload/App.app/_CodeSignature",
                    "Payload/App.app/_CodeSignature/CodeResources",
                    "Payload/App.app/embedded.mobileprovision",
                ]
            )
            #expect(zip["Payload/App.app/App"]?.unixMode == 0o100755)
            #expect(zip["Payload/App.app/Info.plist"]?.unixMode == 0o100644)
            #expect(zip["Payload/App.app/Assets/link"]?.kind == .symbolicLink)
            let code = try #require(zip["Payload/App.app/App"])
            #expect(try zip.contents(of: code, atMost: 100) == Array("code".utf8))
            let left = try FileManager.default.contentsOfDirectory(
                atPath: archive.folder.deletingLastPathComponent().path()
            )
            #expect(left.sorted() == ["App.ipa", "App.xcarchive"])
        }
    }

    @Test func `the same app gives the same bytes, and others a large one in pieces`() async throws
    {
        try await BuiltArchive.with { archive in
            var generator = SeededGenerator(seed: 3)
            let noise = (0..<3_000_000).map { _ in UInt8.random(in: 0...255, using: &generator) }
            try archive.write(noise, to: "Noise.bin")
            let zip = try packed(archive)
            let entry = try #require(zip["Payload/App.app/Noise.bin"])
            #expect(try zip.contents(of: entry, atMost: 4_000_000) == noise)
            let first = try Data(contentsOf: URL(filePath: archive.output))
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: 1)],
                ofItemAtPath: archive.place("App").path(),
            )
            _ = try packed(archive)
            #expect(try Data(contentsOf: URL(filePath: archive.output)) == first)
        }
    }

    @Test func `an app without signature or profile is named as one that installs nowhere`()
        async throws
    {
        try await BuiltArchive.with { archive in
            #expect(try XcodeArchive(at: archive.path).defect == nil)
            try FileManager.default.removeItem(at: archive.place("embedded.mobileprovision"))
            #expect(try XcodeArchive(at: archive.path).defect == .noProfile)
            try FileManager.default.removeItem(at: archive.place("_CodeSignature"))
            let unsigned = try XcodeArchive(at: archive.path)
            #expect(unsigned.defect == .unsigned)
            _ = try packed(archive)
        }
    }

    @Test func `an archive that does not name its app has only one`() async throws {
        try await BuiltArchive.with { archive in
            try archive.describe(["ArchiveVersion": .integer(2)])
            #expect(try XcodeArchive(at: archive.path).bundleName == "App.app")
            let second = archive.folder.appending(path: "Products/Applications/Other.app")
            try FileManager.default.createDirectory(at: second, withIntermediateDirectories: true)
            #expect(throws: PackageRefusal.severalApplications(["App.app", "Other.app"])) {
                try XcodeArchive(at: archive.path)
            }
        }
    }

    @Test(arguments: ["\u{301}App.app", "App\u{600}.app"])
    func `an app whose name begins or ends with a mark is found`(name: String) async throws {
        try await BuiltArchive.with { archive in
            let apps = archive.folder.appending(path: "Products/Applications")
            try FileManager.default.moveItem(
                at: apps.appending(path: "App.app"),
                to: apps.appending(path: name),
            )
            try archive.describe([
                "ApplicationProperties": .dictionary([
                    "ApplicationPath": .string("Applications/" + name)
                ])
            ])
            #expect(try XcodeArchive(at: archive.path).bundleName == name)
        }
    }

    @Test(arguments: [
        "../App.app", "Applications/../../x.app", "/etc/x.app", "Applications/App", "App.app",
        "Applications/.app", "Applications/Absent.app", "Applications/App.app/",
    ])
    func `an app that is elsewhere is refused`(path: String) async throws {
        try await BuiltArchive.with { archive in
            try archive.describe([
                "ApplicationProperties": .dictionary(["ApplicationPath": .string(path)])
            ])
            #expect {
                try XcodeArchive(at: archive.path)
            } throws: { ($0 as? PackageRefusal)?.id == "package.not-an-archive" }
        }
    }

    @Test func `what is no archive says what is missing`() async throws {
        try await withTemporaryFolder { folder in
            for name in ["absent", "", "file/x"] {
                #expect {
                    try XcodeArchive(at: folder.appending(path: name).path())
                } throws: { ($0 as? PackageRefusal)?.id == "package.not-an-archive" }
            }
        }
        try await BuiltArchive.with { archive in
            try archive.describe(["CFBundleIdentifier": .string("x")])
            #expect(throws: PackageRefusal.self) { try XcodeArchive(at: archive.path) }
        }
    }
}
