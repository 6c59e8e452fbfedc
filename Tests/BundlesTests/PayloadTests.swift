import Bundles
import Bytes
import PropertyLists
import Testing

@Suite struct PayloadTests {
    @Test func `the one app is found beside what else archives carry`() throws {
        let archive = SmallArchive.app {
            for path in [
                "Payload/.DS_Store", "Payload/notes.txt", "__MACOSX/Payload/A.app/Info.plist",
                "__MACOSX/Payload/._A.app", "SwiftSupport/iphoneos/libswiftCore.dylib",
                "WatchKitSupport2/WK", "Symbols/1.symbols", "BCSymbolMaps/1.bcsymbolmap",
                "iTunesMetadata.plist", "iTunesArtwork", "META-INF/com.apple.ZipMetadata.plist",
            ] {
                $0.files[path] = [1]
            }
        }
        let app = try archive.application()
        #expect(app.path == "Payload/A.app")
        #expect(app.folderName == "A")
        #expect(app.nested.isEmpty)
    }

    @Test(
        arguments: [
            ([], "bundle.no-application"),
            (["Payload/readme.txt"], "bundle.no-application"),
            (["AndroidManifest.xml", "classes.dex"], "bundle.android"),
            (["base/manifest/AndroidManifest.xml", "BundleConfig.pb"], "bundle.android"),
            (["Payload/A.app"], "bundle.no-application"),
            (["A.app/Info.plist"], "bundle.no-application"),
            (["X.xcarchive/Products/Applications/A.app/Info.plist"], "bundle.no-application"),
            (["Payload/A.app/x", "Payload/B.app/x"], "bundle.several-applications"),
            (["Folder/Payload/A.app/Info.plist"], "bundle.payload-nested"),
            (["payload/A.app/Info.plist"], "bundle.payload-misspelt"),
            (["PAYLOAD/A.app/Info.plist"], "bundle.payload-misspelt"),
            (["Payload/A.app/Run"], "bundle.info-missing"),
            (["Payload/A.app/Contents/Info.plist"], "bundle.info-missing"),
            (["Payload/A.app/info.plist"], "bundle.info-missing"),
        ] as [([String], String)]
    )
    func `another shape is refused by name`(paths: [String], id: String) throws {
        let archive = SmallArchive { archive in
            for path in paths { archive.files[path] = [1] }
        }
        let refusal = try #require(try archive.refusal())
        #expect(refusal.id == id)
        #expect(!refusal.fix.isEmpty)
        #expect(!refusal.detail.hasSuffix("."))
    }

    @Test(
        arguments: [
            Array("not a plist".utf8), [], PropertyList.array([]).xml(),
            PropertyList.string("x").binary(),
        ]
    )
    func `an Info.plist that is no dictionary is refused`(contents: [UInt8]) throws {
        let archive = SmallArchive { $0.files["Payload/A.app/Info.plist"] = contents }
        #expect(try archive.refusal()?.id == "bundle.info-malformed")
    }

    @Test func `an Info.plist of a megabyte is refused unread`() throws {
        let archive = SmallArchive {
            $0.files["Payload/A.app/Info.plist"] = [UInt8](repeating: 32, count: 1 << 20 + 1)
        }
        #expect(try archive.refusal()?.id == "bundle.info-malformed")
    }

    @Test func `more bundles than any app has are refused`() throws {
        let archive = SmallArchive.app { archive in
            for index in 0..<513 {
                archive.files["Payload/A.app/Frameworks/lib\(index).dylib"] = [1]
            }
        }
        #expect(try archive.refusal()?.id == "bundle.too-many")
    }

    @Test func `the budget for what is kept ends before memory does`() throws {
        let archive = SmallArchive.app { archive in
            let filler = PropertyList.string(String(repeating: "x", count: 900_000))
            for index in 0..<20 {
                archive.bundle("Payload/A.app/PlugIns/E\(index).appex", ["Filler": filler])
            }
        }
        let app = try archive.application()
        #expect(app.nested.contains { $0.defects.first?.id == "bundle.too-many" })
        #expect(app.nested.contains { $0.defects.isEmpty })
    }
}
