import Bytes
import Foundation
import Identifiers
import Releases
import Sample
import Symbols
import TestSupport
import Testing
import Zip

/// dSYMs that are searched for in archives and folders, valid and malicious ones.
struct SymbolSearchTests {
    private static let place = "Shop.app.dSYM/Contents/Resources/DWARF/Shop"

    private static func zip(
        _ files: [(path: String, bytes: [UInt8])]
    ) throws -> ZippedSymbols {
        let bytes = try ZipWriter.archive { zip in
            for file in files { try zip.add(file.path, contents: file.bytes) }
        }
        return try ZippedSymbols(reading: MemorySource(bytes))
    }

    private static func refusal(_ source: any SymbolSource) -> SymbolRefusal? {
        do {
            _ = try SymbolSearch.bundles(in: source, of: "here")
            return nil
        } catch {
            return error as? SymbolRefusal
        }
    }

    @Test func `a dSYM is found in an archive, a folder and by itself, and is packed alike`()
        async throws
    {
        try await withTemporaryFolder { folder in
            let inside = folder.appending(path: "App.xcarchive/dSYMs")
            try SampleSymbols.write(to: inside)
            let source = try SymbolFolder(OpenFolder(path: inside.path()), named: "dSYMs")
            let bundle = try #require(try SymbolSearch.bundles(in: source, of: "here").first)
            #expect(bundle.name == "Shop.app.dSYM" && bundle.contentSize == 12_256)
            #expect(bundle.images.map(\.architecture) == ["arm64"])
            #expect(!bundle.isPacked, "a folder is no archive")
            var archive: [UInt8] = []
            try bundle.write { archive += $0 }
            var again: [UInt8] = []
            try bundle.write { again += $0 }
            #expect(archive == again)
            let packed = try ZippedSymbols(reading: MemorySource(archive))
            let same = try #require(try SymbolSearch.bundles(in: packed, of: "here").first)
            #expect(same.images == bundle.images && same.isPacked)
            try same.prove()
            var third: [UInt8] = []
            try same.write { third += $0 }
            #expect(third == archive, "what is packed once stays the same")
            let single = SingleSymbolFile(MemorySource(try SampleSymbols.file()), named: "Shop")
            let alone = try SymbolSearch.bundles(in: single, of: "here")
            #expect(alone.map(\.images) == [bundle.images] && alone[0].name == "Shop.dSYM")
        }
    }

    @Test func `what is no dSYM, or lies elsewhere, is refused by name or passed over`() throws {
        let symbols = try SampleSymbols.file()
        let program = try MachOBuilder(named: "Shop").slice(reservingSignature: 0).bytes
        #expect(
            Self.refusal(try Self.zip([(Self.place, program)]))
                == .notSymbols("Shop.app.dSYM", reason: "its Mach-O type is not MH_DSYM")
        )
        for bytes in [Array("text".utf8), [], [0xca, 0xfe, 0xba, 0xbe, 0, 0, 0xff, 0xff]] {
            guard
                case .notSymbols("Shop.app.dSYM", _) = Self.refusal(
                    try Self.zip([(Self.place, bytes)])
                )
            else {
                Issue.record("\(bytes) is taken")
                continue
            }
        }
        for path in [
            "Shop", "__MACOSX/" + Self.place, "Shop.app/Contents/Resources/DWARF/Shop",
            "a.dSYM/Contents/Resources/DWARF/._Shop", "a.dSYM/Contents/Resources/DWARF/b/Shop",
        ] {
            #expect(
                Self.refusal(try Self.zip([(path, symbols)])) == SymbolRefusal.none("here"),
                "\(path)",
            )
        }
        let odd = try Self.zip([("x/a☂b;c.dSYM/Contents/Resources/DWARF/A", symbols)])
        let name = try SymbolSearch.bundles(in: odd, of: "here").map(\.name)
        #expect(name == ["a-b-c.dSYM"], "a name that steers no terminal and leads nowhere")
        #expect(throws: ZipRefusal.self) {
            try Self.zip([("../\(Self.place)", symbols)])
        }
    }

    @Test func `damage of every kind ends in a refusal`() throws {
        let symbols = try SampleSymbols.file()
        // Everything that is read is in the first two kilobytes.
        for count in stride(from: 0, to: 2048, by: 3) {
            let source = SingleSymbolFile(MemorySource(Array(symbols[..<count])), named: "Shop")
            _ = try? SymbolSearch.bundles(in: source, of: "here")
        }
        let head = Array(symbols[..<2048])
        for damaged in SeededDamage.flips(of: head, count: 500, seed: 22) {
            let source = SingleSymbolFile(MemorySource(damaged + symbols[2048...]), named: "Shop")
            guard let bundle = try? SymbolSearch.bundles(in: source, of: "here").first else {
                continue
            }
            for image in bundle.images { _ = try? bundle.slice(image.uuid) }
        }
        // Commands that claim to be longer than the file, and sizes that exceed the archive.
        var long = symbols
        long.replaceSubrange(20..<24, with: [0xff, 0xff, 0xff, 0x7f])
        guard case .notSymbols = Self.refusal(try Self.zip([(Self.place, long)])) else {
            Issue.record("lying sizes are taken")
            return
        }
        let good = try ZipWriter.archive { try $0.add(Self.place, contents: symbols) }
        for damaged in SeededDamage.flips(of: good, count: 300, seed: 23) {
            guard let source = try? ZippedSymbols(reading: MemorySource(damaged)),
                let bundle = try? SymbolSearch.bundles(in: source, of: "here").first
            else { continue }
            try? bundle.prove()
        }
    }

    @Test func `an archive that claims gigabytes, or has links in it, is not unpacked`() throws {
        var claim = try ZipWriter.archive { try $0.add(Self.place, contents: [1, 2, 3]) }
        let signature = Array("PK\u{1}\u{2}".utf8)
        let header = try #require(
            claim.indices.dropLast(4).first { Array(claim[$0..<$0 + 4]) == signature }
        )
        // The sizes of an entry in the directory: four gigabytes, both compressed and uncompressed.
        for offset in 20..<28 { claim[header + offset] = offset % 4 == 0 ? 0xfe : 0xff }
        #expect(throws: ZipRefusal.self) { try ZippedSymbols(reading: MemorySource(claim)) }
        let linked = try ZipWriter.archive { zip in
            try zip.addSymbolicLink(Self.place, target: "/etc/passwd")
        }
        let source = try ZippedSymbols(reading: MemorySource(linked))
        #expect(source.files.isEmpty)
    }

    @Test func `links and pipes in a folder are never opened`() async throws {
        try await withTemporaryFolder { folder in
            let place = folder.appending(path: "A.dSYM/Contents/Resources/DWARF")
            try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
            try FileManager.default.createSymbolicLink(
                atPath: place.appending(path: "A").path(),
                withDestinationPath: "/etc/passwd",
            )
            #expect(unsafe mkfifo(place.appending(path: "B").path(), 0o600) == 0)
            let source = try SymbolFolder(OpenFolder(path: folder.path()), named: "x")
            #expect(Self.refusal(source) == SymbolRefusal.none("here"))
        }
    }

    @Test func `the programs of an app are found with their UUIDs`() async throws {
        try await withTemporaryFolder { folder in
            let file = folder.appending(path: "build.ipa")
            try SampleApps.sample(by: SigningAuthority.cached(), at: Date()).build(to: file.path())
            let programs = try ProgramSearch.programs(of: FileSource(path: file.path()))
            let paths = programs.map(\.path)
            #expect(paths == ["Frameworks/SampleKit.framework/SampleKit", "Sample"])
            #expect(programs.allSatisfy { $0.images.map(\.architecture) == ["arm64"] })
            #expect(Set(programs.flatMap(\.images).map(\.uuid)).count == 2)
        }
    }

    @Test func `a UUID is read in every usual form, and no other`() throws {
        let uuid = try #require(ImageUUID("0e32eb0dc5114b5ea5bd7c4c0a6c7f3b"))
        #expect("\(uuid)" == "0E32EB0D-C511-4B5E-A5BD-7C4C0A6C7F3B")
        #expect(ImageUUID("\(uuid)") == uuid && ImageUUID(uuid.digits) == uuid)
        for wrong in [
            "", "0E32EB0D", "\(uuid)0", "0E32EB0DC-511-4B5E-A5BD-7C4C0A6C7F3B", "../\(uuid)",
        ] {
            #expect(ImageUUID(wrong) == nil, "\(wrong)")
        }
    }
}
