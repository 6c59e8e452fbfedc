import Cryptography
import Foundation
import PropertyLists
import Releases
import TestSupport
import Testing

struct InstallManifestTests {
    private static let names = [
        "Browsey", "A & B", "<b>bold</b>", "</string><key>url</key>", "\"quoted\" 'twice'", "]]>",
        "&amp; &#0; &lt;", "🦊👩‍👩‍👧", "abc\u{202E}gpj.exe", "<!--", "tab\tand\nline", "é\u{301}",
        "  spaces  ", "$(x) `y`", "<?xml?>",
    ]

    private func manifest(_ name: String) throws -> InstallManifest {
        InstallManifest(
            of: try ExampleRelease(name: name).release(),
            at: InstallFolder(url: "https://ota.example.com/install/capability")
                .manifestURLs(archiveName: "Browsey"),
        )
    }

    @Test func `the document is the one that is checked in`() throws {
        let text = String(decoding: try manifest("Browsey & <friends>").xml(), as: UTF8.self)
        #expect(try text == Golden.text("manifest.plist", recording: text))
    }

    @Test(arguments: names)
    func `a name comes back whole`(name: String) throws {
        let list = try PropertyList(reading: manifest(name).xml(), limits: .manifest)
        let item = try #require(list["items"]?.array?.first)
        #expect(item["metadata"]?["title"]?.string.map { Array($0.utf8) } == Array(name.utf8))
        #expect(item["metadata"]?["kind"]?.string == "software")
        #expect(item["metadata"]?["bundle-identifier"]?.string == "com.vforsh.browsey")
        #expect(item["assets"]?.array?.count == 3)
        #expect(list == (try manifest(name).propertyList))
    }

    @Test func `the archive is digested in pieces and not also as a whole`() throws {
        let assets = try manifest("Browsey").propertyList["items"]?.array?.first?["assets"]?.array
        let archive = try #require(assets?.first)
        #expect(archive["kind"]?.string == "software-package")
        #expect(archive["url"]?.string == "https://ota.example.com/install/capability/Browsey.ipa")
        #expect(archive["sha256-size"]?.integer == 10 << 20)
        let digests = ["one", "two", "three"].map { SHA256Digest(of: Array($0.utf8)).description }
        #expect(archive["sha256s"]?.strings == digests)
        #expect(archive["sha256"] == nil)
        #expect(archive["md5s"] == nil)
    }

    @Test func `characters that XML cannot carry do not break the document`() throws {
        let list = try PropertyList(
            reading: manifest("a\0b\u{1B}c\u{FFFF}").xml(),
            limits: .manifest,
        )
        let title = list["items"]?.array?.first?["metadata"]?["title"]?.string
        #expect(title == "a\u{FFFD}b\u{FFFD}c\u{FFFD}")
    }

    @Test(.enabled(if: Python.path != nil, "python3 is not on this machine"))
    func `another reader of property lists reads the same names`() async throws {
        try await withTemporaryFolder { folder in
            for (number, name) in Self.names.enumerated() {
                let file = folder.appending(path: "\(number).plist")
                try Data(manifest(name).xml()).write(to: file)
            }
            let script = """
                import json, plistlib, sys
                names = []
                for number in range(int(sys.argv[2])):
                    with open(f"{sys.argv[1]}/{number}.plist", "rb") as file:
                        item, = plistlib.load(file)["items"]
                    names.append(item["metadata"]["title"])
                    assert item["assets"][0]["sha256-size"] == 10 << 20
                print(json.dumps(names))
                """
            let output = try Python.run(
                script,
                [folder.path(percentEncoded: false), "\(Self.names.count)"],
            )
            let names = try JSONDecoder().decode([String].self, from: output)
            #expect(names.map { Array($0.utf8) } == Self.names.map { Array($0.utf8) })
        }
    }
}

enum Python {
    static let path = ["/usr/bin/python3", "/usr/local/bin/python3", "/opt/homebrew/bin/python3"]
        .first { FileManager.default.isExecutableFile(atPath: $0) }

    static func run(_ script: String, _ arguments: [String]) throws -> Data {
        let process = Process()
        process.executableURL = URL(filePath: try #require(path))
        process.arguments = ["-c", script] + arguments
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        return data
    }
}
