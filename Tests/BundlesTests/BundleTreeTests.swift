import Bundles
import Bytes
import PropertyLists
import Testing
import Zip

@Suite struct BundleTreeTests {
    @Test func `bundles are found where iOS looks for them, in each other too`() throws {
        let archive = SmallArchive.app { archive in
            for path in [
                "PlugIns/Widget.appex", "Extensions/Intents.appex",
                "PlugIns/Widget.appex/Frameworks/Inner.framework", "Frameworks/Kit.framework",
                "Frameworks/Kit.framework/Frameworks/Deep.framework", "Watch/Watch.app",
                "Watch/Watch.app/PlugIns/Tile.appex", "AppClips/Clip.app",
            ] {
                archive.bundle("Payload/A.app/" + path)
            }
            archive.files["Payload/A.app/Frameworks/libswiftCore.dylib"] = [1]
        }
        let found = try archive.application().everyBundle.dropFirst().map {
            "\($0.kind.rawValue) \($0.path.text.dropFirst("Payload/A.app/".count))"
        }
        #expect(
            found == [
                "app-clip AppClips/Clip.app",
                "app-extension Extensions/Intents.appex",
                "framework Frameworks/Kit.framework",
                "framework Frameworks/Kit.framework/Frameworks/Deep.framework",
                "dylib Frameworks/libswiftCore.dylib",
                "app-extension PlugIns/Widget.appex",
                "framework PlugIns/Widget.appex/Frameworks/Inner.framework",
                "watch-app Watch/Watch.app",
                "app-extension Watch/Watch.app/PlugIns/Tile.appex",
            ]
        )
    }

    @Test func `what lies elsewhere is a resource`() throws {
        let archive = SmallArchive.app { archive in
            for path in [
                "Widget.appex", "Resources/PlugIns/X.appex", "PlugIns/X.bundle",
                "Frameworks/.framework", "Watch/X.appex", "PlugIns/X.app", "Plugins2/Y.appex",
                "Resources/Kit.framework/PlugIns/Y.appex",
            ] {
                archive.bundle("Payload/A.app/" + path)
            }
            archive.files["Payload/A.app/Frameworks/Empty.framework/"] = []
            archive.files["Payload/A.app/Frameworks/folder.dylib/x"] = [1]
        }
        #expect(try archive.application().nested.isEmpty)
    }

    @Test func `an extension or an app inside a framework or an extension is a resource`() throws {
        let archive = SmallArchive.app { archive in
            for path in [
                "Frameworks/Kit.framework", "Frameworks/Kit.framework/PlugIns/Y.appex",
                "Frameworks/Kit.framework/Watch/W.app", "PlugIns/X.appex",
                "PlugIns/X.appex/Extensions/Z.appex", "PlugIns/X.appex/Watch/W.app",
                "Watch/V.app", "Watch/V.app/Watch/W.app",
            ] {
                archive.bundle("Payload/A.app/" + path)
            }
        }
        let nested = try archive.application().nested
        #expect(nested.map(\.kind) == [.framework, .appExtension, .watchApplication])
        #expect(nested.flatMap(\.nested).isEmpty)
    }

    @Test func `a nested bundle that cannot be read is there with its defect`() throws {
        let archive = SmallArchive.app {
            $0.files["Payload/A.app/PlugIns/W.appex/Info.plist"] = [1, 2, 3]
        }
        let widget = try #require(try archive.application().nested.first)
        #expect(widget.info == .absent)
        #expect(widget.defects.map(\.id) == ["bundle.info-malformed"])
        #expect(widget.defects.first?.place == "Payload/A.app/PlugIns/W.appex/Info.plist")
    }

    @Test func `the executable is the file that Info.plist names`() throws {
        #expect(try SmallArchive.app().application().executable?.path == "Payload/A.app/Run")
        for name in ["Missing", "../A.app/Run", "PlugIns/Run", ""] {
            let app = try SmallArchive.app(["CFBundleExecutable": .string(name)]).application()
            #expect(app.executable == nil)
        }
    }
}
