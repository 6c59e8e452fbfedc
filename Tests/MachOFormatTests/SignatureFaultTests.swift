import Bytes
import MachOFormat
import Sample
import Signing
import TestSupport
import Testing

/// A single defect at a time, each found by its rule at its place.
@Suite struct SignatureFaultTests {
    private func faults(in bytes: [UInt8]) -> [SignatureFault] {
        do throws(SignatureFault) {
            return try CodeSignature(reading: bytes).faults
        } catch {
            return [error]
        }
    }

    /// The offset of the fields of the first CodeDirectory.
    private func directory(in bytes: [UInt8]) throws -> Int {
        try #require(try CodeSignature(reading: bytes).primary).offset
    }

    @Test(
        arguments: [
            (0, 0xfade_0c01, .notASignature), (4, .max, .lengthBeyondEnd),
            (4, 7, .lengthBeyondEnd), (4, 11, .truncated), (8, 101, .tooManyBlobs),
            (8, .max, .tooManyBlobs), (8, 0, .noCodeDirectory), (16, .max, .blobOutside),
            (16, 0x7fff_ffff, .blobOutside), (16, 12, .overlap), (12, 5, .duplicateSlot),
            (12, 0x1000, .noCodeDirectory), (20, 0, .duplicateSlot), (44, 8, .wrongMagic),
        ] as [(Int, UInt32, SignatureFault.Rule)]
    )
    func `the index gives itself away`(
        offset: Int,
        value: UInt32,
        rule: SignatureFault.Rule,
    ) throws {
        var bytes = try SignedBinary.signature()
        bytes.put(value, at: offset)
        let rules = faults(in: bytes).map(\.rule)
        #expect(rules.contains(rule), "\(rules)")
    }

    @Test(
        arguments: [
            (8, 0x10000, .unsupportedVersion), (8, 0x30000, .unsupportedVersion),
            (16, .max, .digestsOutside), (24, 64, .digestsOutside), (24, .max, .digestsOutside),
            (28, .max, .digestsOutside), (28, 2, .wrongPageCount), (32, 1, .wrongPageCount),
            (20, .max, .identifierUnterminated), (48, .max, .teamUnterminated),
            (36, 0x2005_000c, .unknownHashType), (36, 0x1402_000c, .wrongHashSize),
            (36, 0x0002_000c, .wrongHashSize), (36, 0x2002_0000, .unsupportedPageSize),
            (36, 0x2002_000d, .unsupportedPageSize), (36, 0x2002_00ff, .unsupportedPageSize),
            (44, .max, .scatterOutside),
        ] as [(Int, UInt32, SignatureFault.Rule)]
    )
    func `a CodeDirectory's field gives itself away`(
        field: Int,
        value: UInt32,
        rule: SignatureFault.Rule,
    ) throws {
        var bytes = try SignedBinary.signature()
        let start = try directory(in: bytes)
        bytes.put(value, at: start + field)
        let faults = faults(in: bytes)
        #expect(faults.map(\.rule).contains(rule), "\(faults)")
        #expect(faults.allSatisfy { $0.offset >= start }, "\(faults)")
    }

    @Test func `two CodeDirectories of one digest are refused`() throws {
        let bytes = try SignedBinary.signature { $0.hashes = [.sha256, .sha256] }
        #expect(faults(in: bytes).map(\.rule) == [.duplicateHashType])
        #expect(faults(in: bytes).map(\.isRefusedByKernel) == [true])
    }

    @Test func `padding is zeroes and nothing else`() throws {
        var bytes = try SignedBinary.signature()
        #expect(bytes.last == 0)
        bytes[bytes.count - 1] = 1
        let fault = try #require(faults(in: bytes).first)
        #expect(fault.rule == .trailingBytes)
        #expect(fault.offset == bytes.count - 1)
        #expect(!fault.isRefusedByKernel)
    }

    @Test func `a second blob in a slot that the kernel passes over is no fault of its own`()
        throws
    {
        var bytes = try SignedBinary.signature()
        // The third entry, for the entitlements, becomes a second one for the requirements.
        bytes.put(2, at: 28)
        let faults = faults(in: bytes)
        #expect(faults.map(\.rule) == [.duplicateSlot, .wrongMagic])
        #expect(faults.allSatisfy { !$0.isRefusedByKernel })
    }

    @Test func `every prefix is refused until only padding is missing`() throws {
        let bytes = try SignedBinary.signature()
        let length = try #require(try CodeSignature(reading: bytes).blobs.last).range.upperBound
        for count in 0..<length {
            #expect(!faults(in: Array(bytes[..<count])).isEmpty, "\(count) bytes")
        }
        for count in [length, length + 1, bytes.count] {
            #expect(faults(in: Array(bytes[..<count])).isEmpty, "\(count) bytes")
        }
    }

    @Test func `more pages than there are numbers for are counted to the greatest number`() throws {
        var bytes = try SignedBinary.signature()
        let start = try directory(in: bytes)
        bytes[start + 39] = 1
        bytes.put(.max, at: start + 56)
        bytes.put(.max, at: start + 60)
        let directory = try #require(try CodeSignature(reading: bytes).primary)
        #expect(directory.codeLimit == .max && directory.pageSize == 2)
        #expect(directory.expectedPageCount == .max)
    }

    @Test(arguments: [11, 12] as [UInt64])
    func `flips never trap, whatever is then asked of the signature`(seed: UInt64) throws {
        let whole = try SignedBinary.signature { $0.hashes = [.sha1, .sha256] }
        let end = try #require(try CodeSignature(reading: whole).blobs.last).range.lowerBound
        let bytes = Array(whole[..<(end + 200)])
        var index = bytes
        index.put(UInt32(bytes.count), at: 4)
        index.put(200, at: end + 4)
        try #require(faults(in: index).isEmpty)
        for damaged in SeededDamage.flips(of: index, count: 4000, seed: seed) {
            guard let signature = try? CodeSignature(reading: damaged) else { continue }
            for directory in signature.directories {
                _ = directory.identifier
                _ = directory.team
                _ = directory.digest(ofPage: directory.pageCount - 1)
                _ = directory.digest(ofSlot: directory.specialSlotCount)
                _ = directory.expectedPageCount
                _ = directory.linkageDigest
            }
            if let blob = signature.blob(in: .requirements) {
                _ = (try? RequirementSet(reading: blob))?.description
            }
            if let content = signature.derEntitlements {
                _ = try? DEREntitlements(reading: content)
            }
        }
    }

    @Test func `each rule has one name and each fault is a clause`() {
        let names = Set(SignatureFault.Rule.allCases.map(\.rawValue))
        #expect(names.count == SignatureFault.Rule.allCases.count)
        let fault = SignatureFault(.overlap, at: 40, "entitlements shares bytes")
        #expect("\(fault)" == "entitlements shares bytes at offset 40 of the signature")
    }
}
