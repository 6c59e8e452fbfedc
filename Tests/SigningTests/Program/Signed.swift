import Bytes
import Cryptography
import Foundation
import MachOFormat
import PropertyLists
import Sample
import Signing
import Testing

/// Signs programs for tests, and checks everything that must hold for any result.
enum Signed {
    static let date = Date(timeIntervalSince1970: 1_767_225_600)  // 2026-01-01T00:00:00Z

    static let entitlements = PropertyList.dictionary([
        "application-identifier": .string("OTASAMPLE1.com.example.demo"),
        "com.apple.developer.team-identifier": .string("OTASAMPLE1"),
        "get-task-allow": .boolean(false),
    ])

    static let seals = CodeSeals(
        identifier: "com.example.demo",
        infoPlist: Array("info".utf8),
        codeResources: Array("seal".utf8),
        entitlements: entitlements,
    )

    static func signer() throws -> ProgramSigner {
        ProgramSigner(identity: try SigningAuthority.cached().distribution, at: date)
    }

    /// Returns the bytes of the signed file.
    static func bytes(
        of program: [UInt8],
        by signer: ProgramSigner? = nil,
        sealing seals: CodeSeals = Signed.seals,
    ) throws -> [UInt8] {
        let signer = try signer ?? Self.signer()
        let signed = try signer.sign(program, named: "Demo", sealing: seals)
        var bytes: [UInt8] = []
        try unsafe signed.write(from: program) { unsafe bytes.append(contentsOf: $0) }
        #expect(bytes.count == signed.count)
        #expect(DigestAlgorithm.sha1.digest(of: bytes) == signed.sha1)
        #expect(DigestAlgorithm.sha256.digest(of: bytes) == signed.sha256)
        return bytes
    }

    /// Returns the slices of a file, after checking that each is signed as the kernel requires.
    static func slices(of bytes: [UInt8]) throws -> [BinarySlice] {
        let file = try MachOFile(reading: bytes)
        for slice in file.slices { try check(slice, of: bytes) }
        return file.slices
    }

    private static func check(_ slice: BinarySlice, of file: [UInt8]) throws {
        let bytes = file[slice.range]
        let signature = try #require(try slice.signature())
        #expect(signature.faults == [])
        #expect(slice.bytesAfterSignature == 0)
        let start = try #require(slice.signatureRange).lowerBound - slice.range.lowerBound
        #expect(start.isMultiple(of: 16))
        let linkEdit = try #require(slice.segments.last { $0.name == "__LINKEDIT" })
        #expect(linkEdit.fileRange.upperBound == slice.range.count)
        #expect(linkEdit.memorySize >= UInt64(linkEdit.fileRange.count))
        for directory in signature.directories {
            let algorithm: DigestAlgorithm = directory.hashType == .sha1 ? .sha1 : .sha256
            #expect(directory.codeLimit == UInt64(start))
            #expect(directory.pageCount == directory.expectedPageCount)
            for page in 0..<directory.pageCount {
                let code = bytes.dropFirst(page * 4096).prefix(min(4096, start - page * 4096))
                #expect(
                    directory.digest(ofPage: page).map(Array.init) == algorithm.digest(of: code)
                )
            }
            for (slot, number) in [BlobSlot.requirements: 2, .entitlements: 5, .derEntitlements: 7]
            {
                let expected = signature.blob(in: slot).map { algorithm.digest(of: $0) }
                #expect(directory.digest(ofSlot: number).map(Array.init) == expected)
            }
        }
    }
}
