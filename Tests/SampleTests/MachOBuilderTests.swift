import Bytes
import Foundation
import Sample
import Signing
import TestSupport
import Testing

@Suite struct MachOBuilderTests {
    @Test func `the same builder makes the same bytes, another name another identity`() throws {
        let one = try MachOBuilder(named: "one").slice(reservingSignature: 0)
        #expect(try MachOBuilder(named: "one").slice(reservingSignature: 0).bytes == one.bytes)
        #expect(try MachOBuilder(named: "two").slice(reservingSignature: 0).bytes != one.bytes)
    }

    @Test(arguments: Architecture.allCases, [0, 1, 4096, 100_000])
    func `segments are whole pages and the signature's place is aligned`(
        architecture: Architecture,
        extraCode: Int,
    ) throws {
        var builder = MachOBuilder(named: "aligned", architecture: architecture)
        builder.extraCode = extraCode
        let slice = try builder.slice(reservingSignature: 4096)
        #expect(slice.textSize.isMultiple(of: 0x4000))
        #expect(slice.textSize >= 0x4000 + extraCode)
        #expect(slice.bytes.count.isMultiple(of: 16))
        let signed = slice.bytes + [UInt8](repeating: 0, count: 4096)
        #expect(throws: Never.self) { _ = try Segments(of: signed) }
        let segments = try Segments(of: signed)
        #expect(segments.names == ["__PAGEZERO", "__TEXT", "__LINKEDIT"])
        #expect(segments.end == signed.count)
    }

    @Test func `a header that outgrows its page is refused`() {
        var builder = MachOBuilder(named: "many")
        builder.libraries = (0..<400).map { "@rpath/Framework\($0).framework/Framework\($0)" }
        #expect(throws: SampleFailure.self) { try builder.slice(reservingSignature: 0) }
    }

    @Test(
        .enabled(if: Tool.objdump != nil, "llvm-objdump is not installed"),
        arguments: [MachOBuilder.Kind.executable, .dynamicLibrary],
        [Architecture.arm64, .arm64e, .armv7, .arm64_32],
    )
    func `llvm-objdump reads every load command`(
        kind: MachOBuilder.Kind,
        architecture: Architecture,
    ) async throws {
        var builder = MachOBuilder(kind, named: "demo", architecture: architecture)
        builder.minimumOS = "16.4"
        builder.runPaths = ["@executable_path/Frameworks"]
        builder.usesLegacyVersion = architecture == .armv7
        let bytes = try signed([builder])
        let objdump = try #require(Tool.objdump)
        try await withTemporaryFolder { folder in
            let file = try folder.writing(bytes, as: "demo")
            let result = try objdump.run("--macho", "--private-headers", file)
            #expect(result.isContent, "\(result.output)")
            let version = builder.usesLegacyVersion ? "LC_VERSION_MIN_IPHONEOS" : "platform ios"
            for word in [version, "16.4", "LC_CODE_SIGNATURE", "libSystem.B.dylib", "LC_RPATH"] {
                #expect(result.output.contains(word), "\(word)")
            }
            #expect(result.output.contains("cryptid 0"))
            #expect(result.output.contains(kind == .executable ? "LC_MAIN" : "LC_ID_DYLIB"))
            #expect(!result.output.contains("error"))
            let code = try objdump.run("--macho", "-d", file)
            #expect(code.output.contains("_main") || code.output.contains("_sample"))
        }
    }

    @Test(.enabled(if: Tool.objdump != nil, "llvm-objdump is not installed"))
    func `llvm-objdump reads a universal file`() async throws {
        let builders = [Architecture.armv7, .arm64].map {
            MachOBuilder(named: "fat", architecture: $0)
        }
        let bytes = try signed(builders)
        let objdump = try #require(Tool.objdump)
        try await withTemporaryFolder { folder in
            let file = try folder.writing(bytes, as: "fat")
            let result = try objdump.run("--macho", "--universal-headers", file)
            #expect(result.output.contains("nfat_arch 2"))
            #expect(result.output.contains("architecture armv7"))
            #expect(result.output.contains("architecture arm64"))
        }
    }

    private func signed(_ builders: [MachOBuilder]) throws -> [UInt8] {
        let signer = CodeSigner(
            identity: try SigningAuthority.cached().distribution,
            at: Moment.signing,
        )
        return try signer.signed(builders, sealing: CodeSeals(identifier: "demo"))
    }
}

/// The segments of a slice, parsed again.
private struct Segments {
    var names: [String] = []
    var end = 0

    init(of slice: [UInt8]) throws {
        var reader = ByteReader(slice)
        let is64Bit = try reader.littleEndian(UInt32.self, "magic") == 0xfeed_facf
        try reader.skip(12, "type")
        let count = try reader.littleEndian(UInt32.self, "commands")
        try reader.skip(is64Bit ? 12 : 8, "flags")
        for _ in 0..<count {
            let start = reader.offset
            let command = try reader.littleEndian(UInt32.self, "command")
            let size = Int(try reader.littleEndian(UInt32.self, "size"))
            if command == (is64Bit ? 0x19 : 1) {
                let name = try reader.bytes(16, "name").prefix { $0 != 0 }
                names.append(String(decoding: name, as: UTF8.self))
                try reader.skip(is64Bit ? 16 : 8, "addresses")
                let offset = try reader.word(is64Bit)
                end = offset + (try reader.word(is64Bit))
            }
            try reader.seek(to: start + size, "next command")
        }
    }
}

extension ByteReader {
    fileprivate mutating func word(_ is64Bit: Bool) throws -> Int {
        is64Bit
            ? Int(try littleEndian(UInt64.self, "word"))
            : Int(try littleEndian(UInt32.self, "word"))
    }
}
