import Bytes
import Cryptography
import MachOFormat
import PropertyLists
import Sample
import Signing
import TestSupport
import Testing

@Suite struct CodeSignatureReadingTests {
    @Test func `every page and slot has the digest of what it stands for`() throws {
        var builder = MachOBuilder(named: "demo")
        builder.extraCode = 10_000
        let bytes = try SignedBinary.bytes([builder])
        let slice = try #require(try MachOFile(reading: bytes).slices.first)
        let signature = try #require(try slice.signature())
        #expect(signature.faults == [])
        let directory = try #require(signature.primary)
        #expect(directory.version == 0x20400)
        #expect(directory.identifier == "com.example.demo")
        #expect(directory.team == "OTASAMPLE1")
        #expect(directory.hashType == .sha256)
        #expect(directory.hashSize == 32)
        #expect(directory.flags == [])
        #expect(directory.platform == 0)
        #expect(directory.pageSize == 4096)
        #expect(Int(directory.codeLimit) == slice.signatureRange?.lowerBound)
        #expect(directory.pageCount == directory.expectedPageCount)
        #expect(directory.executableSegment?.base == 0)
        #expect(directory.executableSegment?.limit == 0x8000)
        #expect(directory.executableSegment?.flags == [.mainBinary, .allowsUnsigned])
        #expect(directory.runtime == nil && directory.linkage == nil)
        #expect(directory.scatteredRanges == [])
        let code = bytes[..<Int(directory.codeLimit)]
        for page in 0..<directory.pageCount {
            let end = min((page + 1) * 4096, code.count)
            let expected = DigestAlgorithm.sha256.digest(of: Array(code[page * 4096..<end]))
            #expect(directory.digest(ofPage: page).map { Array($0) } == expected)
        }
        for outside in [-1, directory.pageCount, .max, .min] {
            #expect(directory.digest(ofPage: outside) == nil)
            #expect(directory.digest(ofSlot: outside) == nil)
            #expect(directory.preEncryptDigest(ofPage: outside) == nil)
        }
        let behind: [Int: [UInt8]?] = [
            1: Array("info".utf8), 2: signature.blob(in: .requirements).map { Array($0) },
            3: Array("seal".utf8), 4: nil, 5: signature.blob(in: .entitlements).map { Array($0) },
            6: nil, 7: signature.blob(in: .derEntitlements).map { Array($0) },
        ]
        #expect(directory.specialSlotCount == behind.count)
        for (slot, bytes) in behind {
            let expected = bytes.map { DigestAlgorithm.sha256.digest(of: $0) }
            #expect(directory.digest(ofSlot: slot).map { Array($0) } == expected, "-\(slot)")
        }
    }

    @Test func `blobs come in the order of the index with their content`() throws {
        let signature = try CodeSignature(reading: try SignedBinary.signature())
        #expect(
            signature.blobs.map(\.slot) == [
                .codeDirectory, .requirements, .entitlements, .derEntitlements, .message,
            ]
        )
        #expect(signature.blobs.allSatisfy { $0.magic == $0.slot.magic })
        let xml = Array(try #require(signature.entitlements))
        #expect(try PropertyList(reading: xml) == SignedBinary.entitlements)
        #expect(signature.message?.first == 0x30)
        #expect(signature.blob(in: .libraryConstraint) == nil)
        #expect(signature.blob(in: .codeDirectory) == signature.primary?.bytes)
    }

    @Test(arguments: [0x20001, 0x20100, 0x20200, 0x20300, 0x20400, 0x20500] as [UInt32])
    func `a version has its fields and no others`(version: UInt32) throws {
        let signature = try CodeSignature(
            reading: try SignedBinary.signature { $0.version = version }
        )
        #expect(signature.faults == [])
        let directory = try #require(signature.primary)
        #expect(directory.version == version)
        #expect(directory.identifier == "com.example.demo")
        #expect((directory.team != nil) == (version >= 0x20200))
        #expect((directory.executableSegment != nil) == (version >= 0x20400))
        #expect((directory.runtime != nil) == (version >= 0x20500))
        #expect(directory.digest(ofPage: 0)?.count == 32)
    }

    @Test func `of several digests the first is primary and the strongest is best`() throws {
        let signature = try CodeSignature(
            reading: try SignedBinary.signature { $0.hashes = [.sha1, .sha256, .sha384] }
        )
        #expect(signature.faults == [])
        #expect(signature.directories.map(\.hashType) == [.sha1, .sha256, .sha384])
        #expect(signature.directories.map(\.hashSize) == [20, 32, 48])
        #expect(signature.primary?.hashType == .sha1)
        #expect(signature.best?.hashType == .sha384)
        #expect(signature.directories.last?.slot == .alternateCodeDirectory(1))
    }

    @Test func `ad hoc flags, 16 KiB pages and an empty message are read`() throws {
        let signature = try CodeSignature(
            reading: try SignedBinary.signature {
                $0.flags = 0x2
                $0.pageSizeLog2 = 14
                $0.message = .empty
            }
        )
        #expect(signature.faults == [])
        #expect(signature.primary?.flags == .adHoc)
        #expect(signature.primary?.pageSize == 16_384)
        #expect(signature.message?.isEmpty == true)
    }

    @Test func `a CodeDirectory of the newest version has runtime, linkage and early digests`()
        throws
    {
        var writer = ByteWriter()
        let names = Array("id\0team\0".utf8)
        let hashOffset = 108 + names.count
        let total = hashOffset + 20 + 20 + 32
        for word in [
            0xfade_0c02, UInt32(total), 0x20600, 0x1_0000, UInt32(hashOffset), 108, 0, 1, 100,
        ] as [UInt32] { writer.bigEndian(word) }
        writer.append([20, 1, 0, 12])
        for word in [0, 0, 111, 0] as [UInt32] { writer.bigEndian(word) }
        for long in [0, 0, 100, 1] as [UInt64] { writer.bigEndian(long) }
        writer.bigEndian(0x000e_0000 as UInt32)
        writer.bigEndian(UInt32(hashOffset + 20))
        writer.append([2, 1])
        writer.bigEndian(7 as UInt16)
        writer.bigEndian(UInt32(hashOffset + 40))
        writer.bigEndian(32 as UInt32)
        writer.append(names)
        writer.append([UInt8](repeating: 1, count: 20))
        writer.append([UInt8](repeating: 2, count: 20))
        writer.append([UInt8](repeating: 3, count: 32))
        let signature = try CodeSignature(reading: writer.bytes)
        #expect(signature.faults == [])
        let directory = try #require(signature.primary)
        #expect(directory.identifier == "id")
        #expect(directory.team == "team")
        #expect(directory.flags == .hardenedRuntime)
        #expect(directory.runtime?.description == "14.0")
        #expect(directory.digest(ofPage: 0)?.first == 1)
        #expect(directory.preEncryptDigest(ofPage: 0)?.first == 2)
        #expect(directory.linkageDigest?.first == 3)
        #expect(directory.linkage?.hashType == .sha256)
        #expect(directory.linkage?.applicationSubtype == 7)
    }

    /// A CodeDirectory of version 0x20100 with a scatter list of the given number of entries and an end.
    private func scattered(entries: Int, hasEnd: Bool = true) -> [UInt8] {
        var writer = ByteWriter()
        let list = 24 * (entries + (hasEnd ? 1 : 0))
        let hashOffset = 48 + list
        for word in [
            0xfade_0c02, UInt32(hashOffset + 20), 0x20100, 0, UInt32(hashOffset), 0, 0, 1, 100,
        ] as [UInt32] { writer.bigEndian(word) }
        writer.append([20, 1, 0, 12])
        for word in [0, 48] as [UInt32] { writer.bigEndian(word) }
        for entry in 0..<entries {
            for word in [1, UInt32(entry), 0, 4096, 0, 0] as [UInt32] { writer.bigEndian(word) }
        }
        writer.append([UInt8](repeating: 0, count: hasEnd ? 24 : 0))
        writer.append([UInt8](repeating: 1, count: 20))
        return writer.bytes
    }

    @Test func `a scatter list is read up to its end, and an endless one is refused`() throws {
        let signature = try CodeSignature(reading: scattered(entries: 2))
        #expect(signature.faults == [])
        #expect(signature.primary?.identifier == nil)
        let ranges = try #require(signature.primary?.scatteredRanges)
        #expect(ranges.map(\.firstPage) == [0, 1])
        #expect(ranges.map(\.pageCount) == [1, 1])
        #expect(ranges.map(\.target) == [4096, 4096])
        for bytes in [scattered(entries: 2, hasEnd: false), scattered(entries: 20_000)] {
            #expect(try CodeSignature(reading: bytes).faults.map(\.rule) == [.scatterOutside])
        }
    }
}
