import Bytes
import MachOFormat
import Sample
import TestSupport
import Testing

/// The Info.plist inside a slice, with which code without a bundle is signed.
@Suite struct InformationSectionTests {
    private static func library(
        _ information: [UInt8]?,
        _ architecture: Architecture = .arm64,
    ) -> MachOBuilder {
        var builder = MachOBuilder(.dynamicLibrary, named: "lib", architecture: architecture)
        builder.information = information
        return builder
    }

    @Test func `the section of each slice is read, and absent where there is none`() throws {
        let bytes = try SignedBinary.bytes(
            [
                Self.library(Array("first".utf8), .armv7), Self.library(nil, .arm64),
                Self.library([UInt8](repeating: 7, count: 100_000), .arm64e),
            ],
            entitlements: nil,
        )
        let file = try MachOFile(reading: bytes)
        #expect(file.slices[0].information == Array("first".utf8))
        #expect(file.slices[1].information == nil)
        #expect(file.slices[2].information == [UInt8](repeating: 7, count: 100_000))
        for slice in file.slices { #expect(try slice.signature() != nil) }
    }

    @Test(arguments: [1, 7, 4096, 16_384])
    func `it is read in pieces of any size`(size: Int) throws {
        let bytes = try SignedBinary.bytes(
            [Self.library(Array("section".utf8))],
            entitlements: nil,
        )
        var scanner = MachOScanner(fileSize: bytes.count)
        for start in stride(from: 0, to: bytes.count, by: size) {
            scanner.take(bytes[start..<min(start + size, bytes.count)])
        }
        #expect(try scanner.finish().slices[0].information == Array("section".utf8))
    }

    @Test func `a section that cannot be there is none, and no fault`() throws {
        let whole = try SignedBinary.bytes(
            [Self.library(Array("section".utf8))],
            entitlements: nil,
        )
        let name = try #require(whole.firstRange(of: Array("__info_plist".utf8))).lowerBound
        // Size and offset of a 64-bit section.
        for (field, value) in [(40, .max), (48, .max), (48, 16), (40, 0x7fff_ffff)]
            as [(Int, UInt32)]
        {
            var bytes = whole
            for index in 0..<4 {
                bytes[name + field + index] = UInt8(truncatingIfNeeded: value >> (8 * index))
            }
            let slice = try #require(try MachOFile(reading: bytes).slices.first)
            #expect(slice.information == nil, "\(field) \(value)")
            #expect(try slice.signature() != nil)
        }
    }

    @Test(arguments: [1, 2] as [UInt64])
    func `damage never traps`(seed: UInt64) throws {
        let bytes = try SignedBinary.bytes(
            [Self.library(Array("section".utf8))],
            entitlements: nil,
        )
        for damaged in SeededDamage.flips(of: Array(bytes.prefix(2048)), count: 2000, seed: seed) {
            _ = try? MachOFile(reading: damaged + bytes.dropFirst(2048)).slices.first?.information
        }
    }
}
