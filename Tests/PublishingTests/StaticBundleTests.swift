import Bundles
import Bytes
import Cryptography
import Foundation
import PropertyLists
import Publishing
import Releases
import Store
import TestSupport
import Testing

struct StaticBundleTests {
    @Test func `six files are all that another host needs`() async throws {
        try await withTemporaryFolder { folder in
            let room = try PublishingRoom(
                in: folder,
                at: Date(timeIntervalSince1970: 1_800_000_000),
            )
            try room.build(room.browsey())
            let build = try Examination(anchors: room.anchors, date: room.date)
                .examine(FileSource(path: room.file.path()))
            let base = try BaseURL("https://files.example.com/browsey")
            let bundle = StaticBundle(of: try build.release(room.options), at: base)
            let target = folder.path() + "out"
            for _ in 0..<2 {
                try bundle.write(
                    to: target,
                    page: "<!doctype html>",
                    guide: "<!doctype html>",
                    archive: FileSource(path: room.file.path()),
                    icons: build.icon.set,
                )
            }
            var isFolder = stat()
            #expect(unsafe stat(target, &isFolder) == 0 && isFolder.st_mode & 0o777 == 0o755)
            let names = try FileManager.default.contentsOfDirectory(atPath: target).sorted()
            #expect(
                names
                    == [
                        "App.ipa", "help.html", "icon-512.png", "icon-57.png", "install.html",
                        "manifest.plist",
                    ]
            )
            #expect(
                try Data(contentsOf: URL(filePath: target + "/App.ipa"))
                    == Data(contentsOf: room.file)
            )
            let manifest = try PropertyList(
                reading: Array(Data(contentsOf: URL(filePath: target + "/manifest.plist"))),
                limits: .manifest,
            )
            let assets = manifest["items"]?.array?.first?["assets"]?.array ?? []
            #expect(
                assets.compactMap { $0["url"]?.string } == [
                    "https://files.example.com/browsey/App.ipa",
                    "https://files.example.com/browsey/icon-57.png",
                    "https://files.example.com/browsey/icon-512.png",
                ]
            )
            #expect(assets.first?["sha256s"]?.strings == [build.sha256.description])
        }
    }
}
