import Bytes
import PropertyLists
import Sample
import Signing
import Testing
import Zip

/// Signing changes signatures, profiles and seals, and nothing else of an archive.
@Suite struct KeptFilesTests {
    private static func app() throws -> IPABuilder {
        try Resigned.app()
            .resource(.text("en.lproj/a.strings", "a"))
            .resource(.text("en.lproj/locversion.plist", "b"))
            .resource(.text("Lo\u{308}ffel \u{1F944}.txt", "c"))
            .resource(.symbolicLink("link", to: "en.lproj/a.strings"))
            .resource(.file("tool.sh", Array("#!/bin/sh".utf8), mode: 0o755))
            .nesting(.framework("Kit"))
    }

    @Test(arguments: [0o4755, 0o2755] as [UInt16])
    func `a file that would run as its owner is refused`(mode: UInt16) throws {
        let app = try Resigned.app().resource(.file("tool", [1, 2, 3], mode: mode))
        let refusal = #expect(throws: SigningRefusal.self) {
            try Resigned(app, Resigned.profile("com.example.demo"))
        }
        #expect(refusal?.id == "signing.special-file")
    }

    private static let changing = ["_CodeSignature/CodeResources", "embedded.mobileprovision"]

    @Test(arguments: [true, false])
    func `every other entry keeps its bytes, its form and its place`(describes: Bool) throws {
        let app = try Self.app()
            .editing { $0.packing = ZipWriter.Options(dataDescriptors: describes) }
        let bytes = try app.bytes()
        let before = try ZipArchive(reading: MemorySource(bytes))
        let signed = try Resigned(bytes, try Resigned.request([Resigned.profile("*")]))
        #expect(signed.blocking == [])
        #expect(signed.archive.entries.map(\.path) == before.entries.map(\.path))
        let programs = signed.plan.bundles.map { $0.path / $0.path.stem }
        for (old, new) in zip(before.entries, signed.archive.entries) {
            #expect(new.kind == old.kind)
            #expect(new.method == old.method)
            #expect(new.unixMode == old.unixMode)
            let mayChange =
                programs.contains(old.path)
                || Self.changing.contains { old.path.hasSuffix(RelativePath($0)) }
            guard !mayChange else { continue }
            let length = new.dataOffset - new.headerOffset + new.compressedSize
            #expect(old.dataOffset - old.headerOffset + old.compressedSize == length)
            #expect(
                signed.bytes[new.headerOffset..<new.headerOffset + length]
                    == bytes[old.headerOffset..<old.headerOffset + length],
                "\(old.path)",
            )
        }
    }

    @Test func `a seal lists each file as Xcode lists it`() throws {
        let signed = try Resigned(try Self.app(), try Resigned.profile("com.example.demo"))
        let seal = try PropertyList(
            reading: signed.contents("Payload/Demo.app/_CodeSignature/CodeResources")
        )
        let files = try #require(seal["files2"]?.dictionary)
        #expect(
            files.keys.sorted()
                == [
                    "Frameworks/Kit.framework/Info.plist", "Frameworks/Kit.framework/Kit",
                    "Frameworks/Kit.framework/_CodeSignature/CodeResources",
                    "Lo\u{308}ffel \u{1F944}.txt", "embedded.mobileprovision", "en.lproj/a.strings",
                    "link", "tool.sh",
                ].sorted()
        )
        #expect(files["link"] == .dictionary(["symlink": .string("en.lproj/a.strings")]))
        #expect(files["en.lproj/a.strings"]?["optional"] == .boolean(true))
        let first = try #require(seal["files"]?.dictionary)
        #expect(first["link"] == nil)
        #expect(first["Info.plist"]?.data?.count == 20)
        #expect(first["en.lproj/a.strings"]?["hash"]?.data?.count == 20)
    }

    @Test func `leftovers of older signatures are handled as codesign does`() throws {
        let app = try Resigned.app()
            .resource(.symbolicLink("CodeResources", to: "_CodeSignature/CodeResources"))
            .resource(.text("SC_Info/Demo.sinf", "a"))
            .resource(.text("_CodeSignature/CodeDirectory", "b"))
        let signed = try Resigned(app, try Resigned.profile("com.example.demo"))
        #expect(signed.blocking == [])
        #expect(signed.archive["Payload/Demo.app/CodeResources"]?.kind == .symbolicLink)
        #expect(signed.archive["Payload/Demo.app/SC_Info/Demo.sinf"] != nil)
        #expect(signed.archive["Payload/Demo.app/_CodeSignature/CodeDirectory"] == nil)
        let seal = try PropertyList(
            reading: signed.contents("Payload/Demo.app/_CodeSignature/CodeResources")
        )
        #expect(seal["files2"]?["CodeResources"] == nil)
    }

    @Test func `what lies beside the app stays, and is no part of its seal`() throws {
        let app = try Resigned.app().afterSigning {
            $0.addOutside(.text("SwiftSupport/iphoneos/libswiftCore.dylib", "a"))
        }
        let signed = try Resigned(app, try Resigned.profile("com.example.demo"))
        #expect(signed.archive["SwiftSupport/iphoneos/libswiftCore.dylib"] != nil)
        #expect(signed.blocking == [])
    }

    @Test func `an archive without entries for folders gets none`() throws {
        let tree = try Resigned.app().unsigned().withoutProfile().tree()
        let bytes = try ZipWriter.archive { zip in
            var files = tree
            files.files.removeAll { if case .folder = $0.content { true } else { false } }
            try files.pack(into: &zip)
        }
        let signed = try Resigned(
            bytes,
            try Resigned.request([Resigned.profile("com.example.demo")]),
        )
        #expect(signed.blocking == [])
        #expect(!signed.archive.entries.contains { $0.kind == .directory })
        #expect(signed.archive["Payload/Demo.app/_CodeSignature/CodeResources"] != nil)
    }

    @Test func `a damaged file is refused before anything is signed`() throws {
        var bytes = try Resigned.app().resource(.noise("a.bin", count: 1000)).bytes()
        let archive = try ZipArchive(reading: MemorySource(bytes))
        let entry = try #require(archive["Payload/Demo.app/a.bin"])
        bytes[entry.dataOffset + entry.compressedSize / 2] ^= 0xFF
        let request = try Resigned.request([try Resigned.profile("com.example.demo")])
        let damaged = bytes
        let refusal = #expect(throws: SigningRefusal.self) { try Resigned(damaged, request) }
        #expect(refusal?.id.hasPrefix("zip.") == true)
    }
}
