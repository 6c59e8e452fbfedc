import Bundles
import Bytes
import Inspection
import MachOFormat
import PropertyLists
import Sample
import Signing
import Testing
import Zip

/// All code in an app is found and signed, wherever it is.
@Suite struct BundleSigningTests {
    private static let clip: [String: PropertyList] = [
        "com.apple.developer.on-demand-install-capable": .boolean(true),
        "com.apple.developer.parent-application-identifiers": .array([
            .string("OTASAMPLE1.com.example.demo")
        ]),
    ]

    @Test func `a watch app and four extensions are signed with a profile each`() throws {
        let id = "com.example.demo"
        let extensions = ["Widget", "Share", "Intents", "Keyboard"]
        var app = try Resigned.app().nesting(
            .watchApplication("Watch", identifier: "\(id).watchkitapp", companion: id)
        )
        app = app.nesting(
            .widget("Widget"),
            .shareExtension("Share"),
            .appExtension("Intents", point: "com.apple.intents-service", principalClass: "I.H"),
            .appExtension("Keyboard", point: "com.apple.keyboard-service", principalClass: "K.V"),
        )
        let names = [id, "\(id).watchkitapp"] + extensions.map { "\(id).\($0)" }
        let profiles = try names.map { try Resigned.profile($0) }
        let signed = try Resigned(try app.bytes(), try Resigned.request(profiles))
        #expect(signed.blocking == [])
        let used = signed.plan.bundles.compactMap { $0.profile?.facts.applicationIdentifier }
        #expect(used.map(\.rawValue).sorted() == names.map { "OTASAMPLE1.\($0)" }.sorted())
        for bundle in signed.plan.bundles {
            let profile = try #require(bundle.profile)
            #expect(
                try signed.contents(bundle.path / "embedded.mobileprovision") == profile.bytes
            )
            #expect(
                bundle.entitlements?.kept["application-identifier"]
                    == .string("OTASAMPLE1.\(bundle.identifier)")
            )
        }
    }

    @Test func `one profile does not serve an extension that it does not match`() throws {
        let app = try Resigned.app().nesting(.widget("Widget"))
        let refusal = #expect(throws: SigningRefusal.self) {
            try Resigned(app, Resigned.profile("com.example.demo"))
        }
        #expect(
            refusal?.fault
                == .profileMissing(
                    identifier: "com.example.demo.Widget",
                    kind: .appExtension,
                    offered: ["Profile for com.example.demo (OTASAMPLE1.com.example.demo)"],
                )
        )
        #expect(refusal?.place == "Payload/Demo.app/PlugIns/Widget.appex")
    }

    @Test func `all bundles without a profile are named at once`() throws {
        let app = try Resigned.app().nesting(.widget("One"), .widget("Two"), .widget("Three"))
        let refusal = #expect(throws: SigningRefusal.self) {
            try Resigned(app, Resigned.profile("com.example.demo.Two"))
        }
        let lacking = [
            ("", "com.example.demo"), ("/PlugIns/One.appex", "com.example.demo.One"),
            ("/PlugIns/Three.appex", "com.example.demo.Three"),
        ]
        #expect(
            refusal
                == .profilesMissing(
                    lacking.map {
                        .init(path: RelativePath("Payload/Demo.app\($0.0)"), identifier: $0.1)
                    }
                )
        )
        #expect(refusal?.id == "signing.profile-missing")
        for (path, identifier) in lacking {
            #expect(refusal?.description.contains(identifier) == true)
            #expect(refusal?.place.contains("Payload/Demo.app\(path)") == true)
        }
        #expect(refusal?.description.contains("Two") == false)
    }

    @Test func `an App Clip gets the prefix of the team that signs it`() throws {
        let app = try Resigned.app()
            .nesting(.appClip("Clip", identifier: "com.example.demo.Clip"))
        let signed = try Resigned(
            app,
            Resigned.profile("com.example.demo"),
            Resigned.profile("com.example.demo.Clip", granting: Self.clip),
        )
        #expect(signed.blocking == [])
        let kept = try signed.entitlements(of: "Payload/Demo.app/AppClips/Clip.app")
        #expect(
            kept["com.apple.developer.parent-application-identifiers"]
                == .array([.string("OTASAMPLE1.com.example.demo")])
        )
    }

    @Test func `libraries and bundles are signed three levels deep`() throws {
        var inner = BundleDraft.framework("Inner")
        inner.nested = [.dynamicLibrary("libDeep")]
        var widget = BundleDraft.widget("Widget")
        widget.nested = [inner]
        let app = try Resigned.app().nesting(widget, .framework("Kit"), .dynamicLibrary("libA"))
        let signed = try Resigned(
            app,
            Resigned.profile("com.example.demo"),
            Resigned.profile("com.example.demo.Widget"),
        )
        #expect(signed.blocking == [])
        let root: RelativePath = "Payload/Demo.app"
        let paths = signed.plan.bundles.compactMap { $0.path.relative(to: root)?.text }
        #expect(
            Set(paths) == [
                "Frameworks/Kit.framework", "Frameworks/libA.dylib", "PlugIns/Widget.appex",
                "PlugIns/Widget.appex/Frameworks/Inner.framework",
                "PlugIns/Widget.appex/Frameworks/Inner.framework/Frameworks/libDeep.dylib",
            ]
        )
    }

    @Test(arguments: [
        "libOdd.dylib", "PlugIns/libOdd.dylib", "Resources/tool", "Things.bundle/code.bin",
    ])
    func `code is found by its content wherever it lies`(path: String) throws {
        let code = try ProgramSignerTests.unsigned(.dynamicLibrary)
        let app = try Resigned.app().resource(.file(path, code, mode: 0o755))
        let signed = try Resigned(app, Resigned.profile("com.example.demo"))
        #expect(signed.blocking == [])
        let bytes = try signed.contents("Payload/Demo.app/\(path)")
        #expect(bytes != code)
        let signature = try #require(try Signed.slices(of: bytes)[0].signature())
        #expect(signature.entitlements == nil)
        #expect(signature.primary?.team == "OTASAMPLE1")
    }

    @Test func `a bundle with code in a place where iOS looks for none is sealed itself`() throws {
        let code = try ProgramSignerTests.unsigned(.dynamicLibrary)
        let info = PropertyList.dictionary([
            "CFBundleExecutable": .string("Plug"),
            "CFBundleIdentifier": .string("com.example.plug"),
        ])
        let app = try Resigned.app()
            .resource(.file("Plug.bundle/Plug", code, mode: 0o755))
            .resource(.file("Plug.bundle/Info.plist", info.binary()))
            .resource(.text("Plug.bundle/a.txt", "a"))
        let signed = try Resigned(app, Resigned.profile("com.example.demo"))
        #expect(signed.blocking == [])
        #expect(signed.plan.bundles.contains { $0.identifier == "com.example.plug" })
        let seal = try signed.contents(
            "Payload/Demo.app/Plug.bundle/_CodeSignature/CodeResources"
        )
        #expect(try PropertyList(reading: seal)["files2"]?.dictionary?.keys.sorted() == ["a.txt"])
    }

    @Test func `resource bundles and compiled storyboards stay as they are`() throws {
        let info = PropertyList.dictionary(["CFBundleName": .string("Things")]).binary()
        let app = try Resigned.app()
            .resource(.file("Things.bundle/Info.plist", info))
            .resource(.text("Things.bundle/Inner.bundle/a.txt", "a"))
            .resource(.text("Base.lproj/Main.storyboardc/Info.plist", "no property list"))
            .resource(.text("Base.lproj/Main.storyboardc/a.nib", "nib"))
        let signed = try Resigned(app, Resigned.profile("com.example.demo"))
        #expect(signed.blocking == [])
        #expect(signed.plan.bundles.count == 1)
        #expect(signed.archive["Payload/Demo.app/Things.bundle/_CodeSignature"] == nil)
    }

    @Test func `the stub of an old watch app keeps Apple's signature`() throws {
        let id = "com.example.demo"
        let app = try Resigned.app().nesting(
            .watchStub("Watch", identifier: "\(id).watchkitapp", companion: id)
        )
        let before = try ZipArchive(reading: MemorySource(try app.bytes()))
        let stub: RelativePath = "Payload/Demo.app/Watch/Watch.app/_WatchKitStub/WK"
        let signed = try Resigned(
            app,
            Resigned.profile(id),
            Resigned.profile("\(id).watchkitapp"),
            Resigned.profile("\(id).watchkitapp.watchkitextension"),
        )
        #expect(signed.blocking == [])
        #expect(
            try signed.contents(stub)
                == before.contents(of: try #require(before[stub]), atMost: 1 << 20)
        )
    }

    @Test func `a watch app without its program is refused by name`() throws {
        var watch = BundleDraft.watchApplication(
            "Watch",
            identifier: "com.example.demo.watchkitapp",
            companion: "com.example.demo",
        )
        watch.hasExecutable = false
        let app = try Resigned.app().nesting(watch)
        let refusal = #expect(throws: SigningRefusal.self) {
            try Resigned(app, Resigned.profile("com.example.*"))
        }
        #expect(refusal?.fault == .executableMissing(name: "Watch"))
        #expect(refusal?.place == "Payload/Demo.app/Watch/Watch.app")
    }

    @Test func `a framework without a program is a folder of resources`() throws {
        var hollow = BundleDraft.framework("Hollow")
        hollow.hasExecutable = false
        hollow.signing.isSigned = false
        let app = try Resigned.app().nesting(hollow)
        let signed = try Resigned(app, Resigned.profile("com.example.demo"))
        #expect(signed.plan.bundles.map(\.identifier) == ["com.example.demo"])
    }

    @Test func `a program that is something else is refused by name`() throws {
        let app = try Resigned.app().afterSigning { try $0.replace("Demo", with: [1, 2, 3]) }
        let refusal = #expect(throws: SigningRefusal.self) {
            try Resigned(app, Resigned.profile("com.example.demo"))
        }
        #expect(refusal?.fault == .executableNotCode(name: "Demo"))
    }

    @Test func `a program with a malformed header is refused with the reason`() throws {
        let header: [UInt8] = [0xcf, 0xfa, 0xed, 0xfe, 1, 2, 3]
        let app = try Resigned.app().afterSigning { try $0.replace("Demo", with: header) }
        let refusal = #expect(throws: SigningRefusal.self) {
            try Resigned(app, Resigned.profile("com.example.demo"))
        }
        #expect(refusal?.id == "signing.program-malformed")
    }

    @Test func `an unsigned app is signed with what Xcode says that it claims`() throws {
        let claims = PropertyList.dictionary(["aps-environment": .string("development")])
        let app = try Resigned.app().unsigned().withoutProfile()
        let signed = try Resigned(
            try app.bytes(),
            try Resigned.request([
                try Resigned.profile(
                    "com.example.demo",
                    granting: ["aps-environment": .string("production")],
                )
            ]),
            archived: ["Demo.app": claims],
        )
        #expect(signed.blocking == [])
        let kept = try signed.entitlements(of: "Payload/Demo.app")
        #expect(kept["aps-environment"] == .string("production"))
        let names = signed.archive.entries.map(\.path.text)
        #expect(names.contains("Payload/Demo.app/_CodeSignature/CodeResources"))
        let profile = try #require(names.firstIndex { $0.hasSuffix("embedded.mobileprovision") })
        #expect(names[profile + 1] == "Payload/Demo.app/Info.plist")
    }

    @Test func `what Xcode left in the bundle is what an unsigned app claims`() throws {
        let claims = PropertyList.dictionary([
            "keychain-access-groups": .array([.string("OTASAMPLE1.com.example.shared")])
        ])
        let app = try Resigned.app().unsigned()
            .resource(.file("archived-expanded-entitlements.xcent", claims.xml()))
        let signed = try Resigned(app, Resigned.profile("com.example.demo"))
        #expect(
            try signed.entitlements(of: "Payload/Demo.app")["keychain-access-groups"]
                == .array([.string("OTASAMPLE1.com.example.shared")])
        )
    }
}
