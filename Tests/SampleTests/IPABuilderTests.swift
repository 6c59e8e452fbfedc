import Bytes
import Cryptography
import Foundation
import PropertyLists
import Sample
import TestSupport
import Testing
import Zip

@Suite struct IPABuilderTests {
    private func demo() throws -> IPABuilder {
        IPABuilder(
            "Demo",
            identifier: "com.example.demo",
            by: try SigningAuthority.cached(),
            at: Moment.signing,
        )
        .version("1.2.3", build: "45")
        .nesting(.widget("DemoWidget"), .framework("DemoKit"), .dynamicLibrary("libdemo"))
        .resource(.text("de.lproj/Localizable.strings", "\"a\" = \"b\";"))
        .resource(.noise("big.bin", count: 3 << 19))
    }

    private func archive(_ builder: IPABuilder) throws -> ZipArchive {
        try ZipArchive(reading: MemorySource(try builder.bytes()))
    }

    private func file(_ path: String, in archive: ZipArchive) throws -> [UInt8] {
        try archive.contents(
            of: try #require(archive[RelativePath(path)], "\(path)"),
            atMost: 1 << 24,
        )
    }

    @Test func `folders come before what is in them and executables are executable`() throws {
        let archive = try archive(try demo())
        var seen: Set<RelativePath> = []
        for entry in archive.entries {
            if let folder = entry.path.parent {
                #expect(seen.contains(folder), "\(entry.path)")
            }
            if entry.kind == .directory { seen.insert(entry.path) }
        }
        let executables = archive.entries.filter { $0.kind == .file && $0.isExecutable }.map(\.path)
        #expect(
            executables == [
                "Payload/Demo.app/PlugIns/DemoWidget.appex/DemoWidget",
                "Payload/Demo.app/Frameworks/DemoKit.framework/DemoKit",
                "Payload/Demo.app/Frameworks/libdemo.dylib",
                "Payload/Demo.app/Demo",
            ]
        )
    }

    @Test func `the seal lists every file of the bundle but the code and the signature`() throws {
        let archive = try archive(try demo())
        let app = "Payload/Demo.app/"
        let seal = try PropertyList(
            reading: try file(app + "_CodeSignature/CodeResources", in: archive),
            limits: .codeResources,
        )
        let sealed = archive.entries.filter { $0.kind == .file }
        let files = sealed.compactMap { $0.path.relative(to: "Payload/Demo.app")?.text }
            .filter { $0 != "Demo" && $0 != "_CodeSignature/CodeResources" }
        #expect(Set(files) == Set((seal["files"]?.dictionary ?? [:]).keys))
        let second = seal["files2"]?.dictionary ?? [:]
        #expect(Set(files).subtracting(["Info.plist", "PkgInfo"]) == Set(second.keys))
        for (path, entry) in second {
            let digest = DigestAlgorithm.sha256.digest(of: try file(app + path, in: archive))
            #expect(entry["hash2"]?.data == digest, "\(path)")
            #expect(entry["optional"]?.boolean == (path.contains(".lproj/") ? true : nil))
        }
    }

    @Test func `the slots of every bundle bind its own Info.plist and seal`() throws {
        let archive = try archive(try demo())
        for (bundle, name) in [
            ("Payload/Demo.app", "Demo"),
            ("Payload/Demo.app/PlugIns/DemoWidget.appex", "DemoWidget"),
            ("Payload/Demo.app/Frameworks/DemoKit.framework", "DemoKit"),
        ] {
            let signature = try #require(
                try EmbeddedSignature(of: try file("\(bundle)/\(name)", in: archive))
            )
            let directory = try signature.directory()
            let info = try file("\(bundle)/Info.plist", in: archive)
            let seal = try file("\(bundle)/_CodeSignature/CodeResources", in: archive)
            #expect(directory.digest(-1) == DigestAlgorithm.sha256.digest(of: info))
            #expect(directory.digest(-3) == DigestAlgorithm.sha256.digest(of: seal))
            let identifier = try PropertyList(reading: info)["CFBundleIdentifier"]?.string
            #expect(directory.identifier == identifier)
        }
    }

    @Test func `nested bundles have identifiers, versions and profiles of their own`() throws {
        let archive = try archive(try demo())
        let widget = "Payload/Demo.app/PlugIns/DemoWidget.appex"
        let info = try PropertyList(reading: try file("\(widget)/Info.plist", in: archive))
        #expect(info["CFBundleIdentifier"]?.string == "com.example.demo.DemoWidget")
        #expect(info["CFBundleShortVersionString"]?.string == "1.2.3")
        #expect(info["CFBundlePackageType"]?.string == "XPC!")
        let profile = try SignedMessage(
            reading: try file("\(widget)/embedded.mobileprovision", in: archive)
        )
        let list = try PropertyList(reading: try #require(profile.content), limits: .profile)
        #expect(
            list["Entitlements"]?["application-identifier"]?.string
                == "OTASAMPLE1.com.example.demo.DemoWidget"
        )
        let framework = "Payload/Demo.app/Frameworks/DemoKit.framework"
        #expect(archive["\(framework)/embedded.mobileprovision"] == nil)
    }

    @Test func `a change after signing changes that and nothing else`() throws {
        let good = try demo().tree()
        let same = Dictionary(uniqueKeysWithValues: good.files.map { ($0.path, $0.content.bytes) })
        func changed(
            _ change: @escaping @Sendable (inout SampleTree) throws -> Void
        ) throws -> Set<String> {
            let tree = try demo().editing { $0.authority = try SigningAuthority.cached() }
                .afterSigning(change).tree()
            var paths = Set(same.keys).symmetricDifference(tree.files.map(\.path))
            // ECDSA signatures differ each time, and so do the seals that cover them.
            for file in tree.files where !file.path.contains(/(Signature|provision|Demo\w*|dylib)$/)
            {
                if file.content.bytes != same[file.path] ?? [] { paths.insert(file.path) }
            }
            return paths.filter { !$0.hasSuffix("CodeResources") }
        }
        #expect(try changed { _ in } == [])
        #expect(try changed { try $0.flip("big.bin", at: -1) } == ["Payload/Demo.app/big.bin"])
        #expect(try changed { try $0.remove("PkgInfo") } == ["Payload/Demo.app/PkgInfo"])
        #expect(try changed { $0.add(.text("new.txt", "x")) } == ["Payload/Demo.app/new.txt"])
        #expect(try changed { $0.addOutside(.text("extra", "x")) } == ["extra"])
        #expect(throws: SampleFailure.noSuchFile("absent")) {
            try changed { try $0.remove("absent") }
        }
        let tree = try demo().afterSigning { try $0.setMode($0.executable, 0o644) }.tree()
        #expect(tree.files.first { $0.path == "Payload/Demo.app/Demo" }?.mode == 0o644)
        let moved = try demo().afterSigning { $0.moveApp(to: "build/Payload/Demo.app") }.tree()
        #expect(moved.files.contains { $0.path == "build/Payload/Demo.app/Demo" })
    }

    @Test func `unsigned and profile-less apps lack just that`() throws {
        let unsigned = try archive(try demo().unsigned())
        #expect(unsigned["Payload/Demo.app/_CodeSignature/CodeResources"] == nil)
        #expect(try EmbeddedSignature(of: try file("Payload/Demo.app/Demo", in: unsigned)) == nil)
        let bare = try archive(try demo().withoutProfile())
        #expect(bare["Payload/Demo.app/embedded.mobileprovision"] == nil)
        #expect(bare["Payload/Demo.app/PlugIns/DemoWidget.appex/embedded.mobileprovision"] != nil)
    }

    @Test func `an App Clip names its parent and an old watch app holds an extension`() throws {
        let tree = try demo().nesting(
            .appClip("Clip", identifier: "com.example.demo.Clip"),
            .watchStub(
                "Watch",
                identifier: "com.example.demo.watch",
                companion: "com.example.demo",
            ),
        ).tree()
        let clip = try #require(
            try EmbeddedSignature(of: try tree.bytes(of: "AppClips/Clip.app/Clip"))
        )
        let claimed = try PropertyList(reading: Array((clip.blobs[5] ?? []).dropFirst(8)))
        let parents = claimed["com.apple.developer.parent-application-identifiers"]?.strings
        #expect(parents == ["OTASAMPLE1.com.example.demo"])
        let inside = "Watch/Watch.app/PlugIns/Watch Extension.appex"
        let info = try PropertyList(reading: try tree.bytes(of: "\(inside)/Info.plist"))
        #expect(info["CFBundleIdentifier"]?.string == "com.example.demo.watch.watchkitextension")
        #expect(info["CFBundleSupportedPlatforms"]?.strings == ["WatchOS"])
    }

    @Test func `padding adds incompressible files that the seal covers`() throws {
        let tree = try demo().padded(megabytes: 17).tree()
        let sizes = tree.files.filter { $0.path.contains("/Media/") }
            .map(\.content.count)
        #expect(sizes == [16 << 20, 1 << 20])
        let seal = try PropertyList(
            reading: try tree.bytes(of: "_CodeSignature/CodeResources"),
            limits: .codeResources,
        )
        #expect(seal["files2"]?["Media/1.mov"] != nil)
    }

    @Test func `an RSA authority signs the same app to the same bytes`() throws {
        let authority = try SigningAuthority(keys: .rsa2048, validFrom: Moment.signing)
        let demo = try demo().editing { $0.authority = authority }
        #expect(try demo.bytes() == demo.bytes())
    }

    @Test(.enabled(if: Tool.unzip != nil, "unzip is not installed"))
    func `what is written to a file is what unzip reads`() async throws {
        let unzip = try #require(Tool.unzip)
        var demo = try demo()
        demo.packing.dataDescriptors = true
        try await withTemporaryFolder { folder in
            let path = folder.appending(path: "demo.ipa").path()
            try demo.build(to: path)
            let result = try unzip.run("-tq", path)
            #expect(result.isContent, "\(result.output)")
            let archive = try ZipArchive(reading: FileSource(path: path))
            #expect(archive["Payload/Demo.app/big.bin"]?.size == 3 << 19)
            #expect(throws: SampleFailure.self) {
                try demo.build(to: folder.appending(path: "absent/demo.ipa").path())
            }
        }
    }

    @Test(.enabled(if: Tool.python != nil, "python3 is not installed"))
    func `python's plistlib reads the seal, the profile and Info.plist`() async throws {
        let python = try #require(Tool.python)
        let archive = try archive(try demo())
        let profile = try SignedMessage(
            reading: try file("Payload/Demo.app/embedded.mobileprovision", in: archive)
        )
        try await withTemporaryFolder { folder in
            let lists = [
                "seal": try file("Payload/Demo.app/_CodeSignature/CodeResources", in: archive),
                "info": try file("Payload/Demo.app/Info.plist", in: archive),
                "profile": try #require(profile.content),
            ]
            for (name, bytes) in lists {
                let path = try folder.writing(bytes, as: name)
                let script = "import plistlib,sys;print(len(plistlib.load(open(sys.argv[1],'rb'))))"
                let result = try python.run("-c", script, path)
                #expect(result.isContent, "\(name): \(result.output)")
                let count = try PropertyList(reading: bytes, limits: .profile).dictionary?.count
                #expect(result.output.hasPrefix("\(count ?? -1)"))
            }
        }
    }
}
