import Bytes
import MachOFormat
import Sample
import TestSupport
import Testing

@Suite struct MachOFileTests {
    @Test(arguments: Architecture.allCases, [false, true])
    func `a program reads back field by field`(
        architecture: Architecture,
        isLegacy: Bool,
    ) throws {
        var builder = MachOBuilder(named: "demo", minimumOS: "16.4.1", architecture: architecture)
        builder.runPaths = ["@executable_path/Frameworks", "/usr/lib/swift"]
        builder.libraries = ["/usr/lib/libSystem.B.dylib", "@rpath/Fix.framework/Fix"]
        builder.usesLegacyVersion = isLegacy
        builder.extraCode = 5000
        let bytes = try SignedBinary.bytes([builder])
        let file = try MachOFile(reading: bytes)
        #expect(file.universal == nil)
        let slice = try #require(file.slices.first)
        #expect(file.slices.count == 1)
        #expect(slice.range == 0..<bytes.count)
        #expect(slice.processor == Processor(architecture))
        #expect(
            slice.header.is64Bit == [.arm64, .arm64e, .arm64eX1, .x86_64].contains(architecture)
        )
        #expect(slice.header.fileType == .executable)
        #expect(slice.header.flags.contains(.positionIndependent))
        #expect(
            slice.header.capabilities == ([.arm64e, .arm64eX1].contains(architecture) ? 0x80 : 0)
        )
        #expect(slice.commands.count == slice.header.commandCount)
        #expect(slice.segments.map(\.name) == ["__PAGEZERO", "__TEXT", "__LINKEDIT"])
        #expect(slice.segments.map(\.sectionCount) == [0, 1, 0])
        #expect(slice.segments.map(\.initialProtection) == [0, 5, 1])
        #expect(slice.segments.last?.fileRange.upperBound == bytes.count)
        let version = try #require(slice.buildVersions.first)
        #expect(slice.buildVersions.count == 1)
        #expect(version.platform == .iOS)
        #expect(version.minimumOS.description == "16.4.1")
        #expect(version.sdk.description == "26.2")
        #expect(version.isLegacy == isLegacy)
        #expect(version.tools.map(\.number) == (isLegacy ? [] : [3]))
        #expect(slice.libraries.map(\.path) == builder.libraries)
        #expect(slice.libraries.allSatisfy { $0.binding == .required })
        #expect(slice.libraries.first?.currentVersion.description == "1.0")
        #expect(slice.runPaths == builder.runPaths)
        #expect(slice.encryption?.isEncrypted == false)
        #expect(slice.encryption?.range.lowerBound == 0x4000)
        #expect(slice.uuid?.count == 16)
        #expect(slice.identity == nil)
        #expect(slice.commands.contains(.dynamicLinker("/usr/lib/dyld")))
        #expect(slice.commands.contains(.entryPoint(offset: 0x4000, stackSize: 0)))
        #expect(slice.commands.contains(.sourceVersion(0)))
        #expect(slice.commands.contains(.unknown(number: 0x02, size: 24)))
        let place = try #require(slice.signatureRange)
        #expect(place.upperBound == bytes.count)
        #expect(slice.bytesAfterSignature == 0)
        #expect(slice.signatureBytes == Array(bytes[place]))
    }

    @Test func `a library names itself, and weak and unsigned are told apart`() throws {
        var builder = MachOBuilder(.dynamicLibrary, named: "Fix")
        builder.installName = "@rpath/Fix.framework/Fix"
        builder.encryption = nil
        builder.platform = .visionOS
        let bytes = try builder.slice(reservingSignature: 0).bytes
        let slice = try #require(try MachOFile(reading: bytes).slices.first)
        #expect(slice.header.fileType == .dynamicLibrary)
        #expect(slice.identity?.path == "@rpath/Fix.framework/Fix")
        #expect(slice.identity?.binding == .own)
        #expect(slice.encryption == nil)
        #expect(slice.signatureRange == nil)
        #expect(slice.signatureBytes == nil)
        #expect(try slice.signature() == nil)
        #expect(slice.buildVersions.map(\.platform) == [.visionOS])
    }

    @Test func `an encrypted program says so`() throws {
        var builder = MachOBuilder(named: "store")
        builder.encryption = 1
        let file = try MachOFile(reading: try SignedBinary.bytes([builder]))
        #expect(file.slices.first?.encryption?.isEncrypted == true)
    }

    @Test func `a universal file has each slice and its signature in place`() throws {
        let architectures: [Architecture] = [.armv7, .arm64, .arm64e]
        let builders = architectures.map { MachOBuilder(named: "fat", architecture: $0) }
        let bytes = try SignedBinary.bytes(builders)
        let file = try MachOFile(reading: bytes)
        #expect(file.universal?.is64Bit == false)
        #expect(file.universal?.entries.map(\.alignmentLog2) == [14, 14, 14])
        #expect(file.slices.map(\.processor) == architectures.map(Processor.init))
        for (slice, builder) in zip(file.slices, builders) {
            let place = try #require(slice.signatureRange)
            // No two signatures are equal, but the code before them is.
            let alone = try SignedBinary.bytes([builder])
            let code = bytes[slice.range.lowerBound..<place.lowerBound]
            #expect(slice.range.count == alone.count)
            #expect(Array(code) == Array(alone[..<code.count]))
            #expect(place.upperBound == slice.range.upperBound)
            #expect(slice.signatureBytes == Array(bytes[place]))
            #expect(try slice.signature()?.faults == [])
        }
    }

    @Test func `a universal file with 64-bit offsets, its table out of order, reads the same`()
        throws
    {
        let builders = [Architecture.armv7, .arm64].map {
            MachOBuilder(named: "fat", architecture: $0)
        }
        let narrow = try SignedBinary.bytes(builders)
        let entries = try #require(try MachOFile(reading: narrow).universal).entries
        var table = ByteWriter()
        for word: UInt32 in [0xcafe_babf, 2] { table.bigEndian(word) }
        for (entry, type) in [(entries[1], (0x0100_000c, 0)), (entries[0], (12, 9))]
            as [(UniversalHeader.Entry, (UInt32, UInt32))]
        {
            table.bigEndian(type.0)
            table.bigEndian(type.1)
            table.bigEndian(UInt64(entry.range.lowerBound))
            table.bigEndian(UInt64(entry.range.count))
            table.bigEndian(14 as UInt32)
            table.bigEndian(0 as UInt32)
        }
        let wide = table.bytes + narrow[table.count...]
        let file = try MachOFile(reading: wide)
        #expect(file.universal?.is64Bit == true)
        #expect(file.slices.map(\.processor) == [.arm64, .armv7])
        #expect(file.slices.map(\.range) == [entries[1].range, entries[0].range])
    }

    @Test func `unknown processors, platforms and file types survive`() {
        #expect(Processor(type: 99, subtype: 0x8000_0007) == .unknown(type: 99, subtype: 7))
        #expect(Processor(type: 12, subtype: 11) == .armv7s)
        #expect(Processor(type: 7, subtype: 3) == .i386)
        #expect(BuildPlatform(77) == .unknown(77))
        #expect("\(BuildPlatform(77)) \(Processor(type: 9, subtype: 1))" == "platform 77 cpu 9.1")
        #expect(MachHeader.FileType(55) == .unknown(55))
        #expect(
            (1...12 as ClosedRange<UInt32>).map { "\(BuildPlatform($0))" }.allSatisfy {
                !$0.contains("platform")
            }
        )
    }
}
