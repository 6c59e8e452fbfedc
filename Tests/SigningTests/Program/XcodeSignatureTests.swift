import Bytes
import Cryptography
import MachOFormat
import TestSupport
import Testing

/// Programs signed by Xcode, re-signed with the same names: only the signed message differs.
@Suite(.enabled(if: Fixtures.arePresent, "the real fixtures are not on this machine"))
struct XcodeSignatureTests {
    /// Programs in the form that iOS 15 requires: DER entitlements begin with their version.
    ///
    /// Xcode 12 wrote them as a bare, unsorted SET.
    static let recent = XcodeProgram.all.filter { program in
        let file = try? MachOFile(reading: program.bytes)
        return file?.slices.allSatisfy { slice in
            (try? slice.signature())?.derEntitlements?.first == 0x70
        } ?? false
    }

    @Test func `there are programs of many versions of Xcode`() {
        #expect(Self.recent.count >= 2)
        #expect(XcodeProgram.all.count >= 10)
    }

    @Test(arguments: recent)
    func `signing again changes the signed message alone`(program: XcodeProgram) throws {
        let again = try program.signedAgain()
        let theirs = try Signed.slices(of: program.bytes)
        let ours = try Signed.slices(of: again)
        #expect(again.count == program.bytes.count)
        for (theirs, ours) in zip(theirs, ours) {
            #expect(ours.range == theirs.range)
            #expect(ours.signatureRange == theirs.signatureRange)
            let start = try #require(theirs.signatureRange).lowerBound
            let isSameCode = again[..<start] == program.bytes[..<start]
            #expect(isSameCode)
            let (old, new) = try Self.signatures(theirs, ours)
            #expect(old.blobs.map(\.slot) == new.blobs.map(\.slot))
            for blob in old.blobs where blob.slot != .message {
                let isSame = new.blob(in: blob.slot) == old.blob(in: blob.slot)
                #expect(isSame, "\(blob.slot)")
            }
            try check(try Self.message(new), against: try Self.message(old))
        }
    }

    private static func message(_ signature: CodeSignature) throws -> SignedMessage {
        try SignedMessage(reading: Array(try #require(signature.message)))
    }

    /// Checks that only time, key and digest differ: names, algorithms, the order of certificates and the
    /// code hashes in both attributes are the same.
    private func check(_ new: SignedMessage, against old: SignedMessage) throws {
        #expect(new.certificates == old.certificates)
        #expect(new.content == nil && new.signers.count == 1)
        let (ours, theirs) = (try #require(new.signers.first), try #require(old.signers.first))
        #expect(ours.identifier == theirs.identifier)
        #expect(ours.digestAlgorithm == theirs.digestAlgorithm)
        #expect(ours.signatureAlgorithm == theirs.signatureAlgorithm)
        let (own, other) = (try #require(ours.attributes), try #require(theirs.attributes))
        #expect(Set(own.values.keys) == Set(other.values.keys))
        #expect(own.signedBytes.count == other.signedBytes.count)
        #expect(own.codeHashList == other.codeHashList)
        #expect(own.codeDigests?.map(\.digest) == other.codeDigests?.map(\.digest))
    }

    @Test(arguments: XcodeProgram.all)
    func `code and names stay, whichever Xcode signed it`(program: XcodeProgram) throws {
        let again = try program.signedAgain()
        let theirs = try Signed.slices(of: program.bytes)
        let ours = try Signed.slices(of: again)
        #expect(theirs.count == ours.count)
        for (theirs, ours) in zip(theirs, ours) {
            #expect(ours.header == theirs.header)
            let header = theirs.header.size + theirs.header.commandBytes
            let end = try #require(theirs.signatureRange).lowerBound - theirs.range.lowerBound
            let isSameCode =
                again[ours.range].prefix(end).dropFirst(header)
                == program.bytes[theirs.range].prefix(end).dropFirst(header)
            #expect(isSameCode)
            let (old, new) = try Self.signatures(theirs, ours)
            #expect(new.entitlements == old.entitlements)
            try check(try #require(new.best), against: try #require(old.best))
            // Certificates that are not Apple's, and Xcode before 2014, have other requirements.
            if old.blob(in: .requirements)?.count == new.blob(in: .requirements)?.count {
                #expect(new.blob(in: .requirements) == old.blob(in: .requirements))
            }
        }
    }

    /// Checks what must be equal in directories with different versions and sizes of signatures.
    private func check(_ new: CodeDirectory, against old: CodeDirectory) throws {
        #expect(new.identifier == old.identifier)
        #expect(new.team == old.team || old.team == nil)
        #expect(new.codeLimit == old.codeLimit)
        #expect(new.flags == old.flags)
        if let segment = old.executableSegment { #expect(new.executableSegment == segment) }
        guard new.hashType == old.hashType else { return }
        for slot in [1, 3, 5] { #expect(new.digest(ofSlot: slot) == old.digest(ofSlot: slot)) }
        // The first page has the header, which contains the size of the signature.
        for page in 1..<old.pageCount {
            #expect(new.digest(ofPage: page) == old.digest(ofPage: page))
        }
    }

    private static func signatures(
        _ theirs: BinarySlice,
        _ ours: BinarySlice,
    ) throws -> (CodeSignature, CodeSignature) {
        (try #require(try theirs.signature()), try #require(try ours.signature()))
    }
}
