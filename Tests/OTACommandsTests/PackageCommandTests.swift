import Bytes
import Foundation
import Sample
import TestSupport
import Testing
import Zip

/// `ota package`, from an Xcode archive to a published build.
@Suite(.timeLimit(.minutes(10)))
struct PackageCommandTests {
    /// Writes an archive with a signed app.
    private func archive(in place: Workplace) throws {
        try place.build()
        let zip = try ZipArchive(reading: FileSource(path: place.path("build.ipa")))
        let applications = place.folder.appending(path: "App.xcarchive/Products/Applications")
        for entry in zip.entries where entry.kind == .file {
            let name = entry.path.text.dropFirst("Payload/".count)
            let file = applications.appending(path: String(name))
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(),
                withIntermediateDirectories: true,
            )
            try Data(zip.contents(of: entry, atMost: 64 << 20)).write(to: file)
            let isExecutable = (entry.unixMode ?? 0) & 0o111 != 0
            try FileManager.default.setAttributes(
                [.posixPermissions: isExecutable ? 0o755 : 0o644],
                ofItemAtPath: file.path(),
            )
        }
        try place.write(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <plist version="1.0"><dict><key>ArchiveVersion</key><integer>2</integer></dict></plist>
            """,
            to: "App.xcarchive/Info.plist",
        )
    }

    @Test func `what Xcode archived becomes a build that installs, and its origin is proven`()
        async throws
    {
        try await Workplace.run { place in
            try archive(in: place)
            let packed = try await place.json("package", "App.xcarchive/", "--output", "App.ipa")
            #expect(packed["bundleIdentifier"].string == "com.vforsh.browsey")
            #expect(packed["isSigned"].boolean == true)
            let published = try await place.json([
                "publish", "App.ipa", "--trusted-ca", "anchor.pem", "--tag", "v1.4.0",
                "--repository",
                "https://ci:secret@example.com/browsey.git", "--commit",
                String(repeating: "0a", count: 20),
            ])
            #expect(published["created"].boolean == true)
            let proven = try await place.json([
                "releases", "verify", "browsey", "1.4.0", "--export", "provenance.json",
                "--export-key", "server.pem",
            ])
            #expect(proven["verified"].boolean == true)
            #expect(proven["sha256"] == published["sha256"])
            let definition = proven["statement"]["predicate"]["buildDefinition"]
            #expect(
                definition["externalParameters"]["repository"].string
                    == "https://example.com/browsey.git"
            )
            let envelope = try JSON(
                String(decoding: place.bytes("provenance.json"), as: UTF8.self)
            )
            #expect(envelope["payloadType"].string == "application/vnd.in-toto+json")
            let outside = try await place.json([
                "releases", "verify", "browsey", "1.4.0", "--key", "server.pem",
            ])
            #expect(outside["keyid"] == proven["keyid"])
        }
    }

    @Test func `an archive without a signature is packed and said to install nowhere`() async throws
    {
        try await Workplace.run { place in
            try archive(in: place)
            let app = place.folder.appending(path: "App.xcarchive/Products/Applications")
            let names = try FileManager.default.contentsOfDirectory(atPath: app.path())
            let seal = app.appending(path: "\(try #require(names.first))/_CodeSignature")
            try FileManager.default.removeItem(at: seal)
            let packed = try await place.json("package", "App.xcarchive", "--output", "App.ipa")
            #expect(packed["isSigned"].boolean == false)
            #expect(packed["defect"].string == "unsigned")
            let text = try await place.ota("package", "App.xcarchive", "--output", "App.ipa")
            #expect(text.status == 0)
            #expect(text.output.contains("Not installable: the app is not signed."))
            let refused = try await place.refusal("package", "anchor.pem")
            #expect(refused["id"].string == "package.not-an-archive")
        }
    }
}
