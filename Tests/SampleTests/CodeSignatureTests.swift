import Bytes
import Cryptography
import Foundation
import PropertyLists
import Sample
import Signing
import TestSupport
import Testing

@Suite struct CodeSignatureTests {
    private static let entitlements = PropertyList.dictionary([
        "application-identifier": .string("OTASAMPLE1.com.example.demo"),
        "get-task-allow": .boolean(false),
    ])
    private static let seals = CodeSeals(
        identifier: "com.example.demo",
        infoPlist: Array("info".utf8),
        codeResources: Array("seal".utf8),
        entitlements: entitlements,
    )

    private func signed(
        _ adjust: (inout SigningOptions) -> Void = { _ in },
        entitlements: PropertyList? = CodeSignatureTests.entitlements,
        kind: MachOBuilder.Kind = .executable,
    ) throws -> [UInt8] {
        var options = SigningOptions()
        adjust(&options)
        let authority = try SigningAuthority.cached()
        let signer = CodeSigner(
            identity: authority.distribution,
            options: options,
            at: Moment.signing,
        )
        var builder = MachOBuilder(kind, named: "demo")
        builder.extraCode = 10_000
        var seals = Self.seals
        seals.entitlements = entitlements
        return try signer.signed([builder], sealing: seals)
    }

    @Test func `every page and every slot has the digest of what it stands for`() throws {
        let signature = try #require(try EmbeddedSignature(of: try signed()))
        let directory = try signature.directory()
        #expect(directory.version == 0x20400)
        #expect(directory.codeLimit == signature.code.count)
        #expect(directory.pages == (signature.code.count + 4095) / 4096)
        for page in 0..<directory.pages {
            let end = min((page + 1) * 4096, signature.code.count)
            let expected = DigestAlgorithm.sha256.digest(of: signature.code[page * 4096..<end])
            #expect(directory.digest(page) == expected)
        }
        #expect(directory.slots == 7)
        let zero = [UInt8](repeating: 0, count: 32)
        let behind: [Int: [UInt8]?] = [
            1: Array("info".utf8), 2: signature.blobs[2], 3: Array("seal".utf8), 4: nil,
            5: signature.blobs[5], 6: nil, 7: signature.blobs[7],
        ]
        for (slot, bytes) in behind {
            let expected = bytes.map { DigestAlgorithm.sha256.digest(of: $0) } ?? zero
            #expect(directory.digest(-slot) == expected, "slot -\(slot)")
        }
    }

    @Test func `the directory names the bundle, the team and the executable segment`() throws {
        let directory = try #require(try EmbeddedSignature(of: try signed())).directory()
        #expect(directory.identifier == "com.example.demo")
        #expect(directory.team == "OTASAMPLE1")
        #expect(directory.hashType == 2)
        #expect(directory.pageSizeLog2 == 12)
        #expect(directory.executableSegment?.limit == 0x8000)
        #expect(directory.executableSegment?.flags == 1)
        let debuggable = PropertyList.dictionary(["get-task-allow": .boolean(true)])
        let development = try EmbeddedSignature(of: try signed(entitlements: debuggable))
        #expect(try development?.directory().executableSegment?.flags == 0x11)
    }

    @Test func `a library has three slots and no entitlements`() throws {
        let bytes = try signed(entitlements: nil, kind: .dynamicLibrary)
        let signature = try #require(try EmbeddedSignature(of: bytes))
        #expect(try signature.directory().slots == 3)
        #expect(signature.order == [0, 2, 0x10000])
        #expect(try signature.directory().executableSegment?.flags == 0)
    }

    @Test func `blobs have the magic of their slot and Apple's order`() throws {
        let bytes = try signed { $0.hashes = [.sha1, .sha256] }
        let signature = try #require(try EmbeddedSignature(of: bytes))
        #expect(signature.order == [0, 2, 5, 7, 0x1000, 0x10000])
        #expect(
            signature.magicOfBlob == [
                0: 0xfade_0c02, 2: 0xfade_0c01, 5: 0xfade_7171, 7: 0xfade_7172,
                0x1000: 0xfade_0c02, 0x10000: 0xfade_0b01,
            ]
        )
        #expect(try signature.directory(0).hashType == 1)
        #expect(try signature.directory(0x1000).hashType == 2)
    }

    @Test(arguments: [[CodeHash.sha256], [.sha1], [.sha1, .sha256]])
    func `the message is the signer's, over the primary directory`(hashes: [CodeHash]) throws {
        let bytes = try signed { $0.hashes = hashes }
        let signature = try #require(try EmbeddedSignature(of: bytes))
        let authority = try SigningAuthority.cached()
        let message = try SignedMessage(
            reading: Array((signature.blobs[0x10000] ?? []).dropFirst(8))
        )
        var policy = SignerPolicy(chainLength: 3, checksDates: true)
        policy.signerMarkers = [AppleExtension.distribution]
        policy.issuerMarkers = [AppleExtension.worldwideDeveloperRelations]
        policy.purposes = [.codeSigning]
        policy.knownCriticalExtensions = [
            AppleExtension.distribution, AppleExtension.universalDistribution,
        ]
        let verified = try message.verified(
            by: policy,
            anchors: TrustAnchors.apple.adding([authority.anchor]),
            at: Moment.signing,
            detachedContent: signature.blobs[0],
        )
        #expect(verified.signer == authority.distribution.certificate)
        #expect(verified.signingTime == Moment.signing)
    }

    @Test(.enabled(if: Tool.openssl != nil, "openssl is not installed"))
    func `openssl verifies the message over the directory`() async throws {
        let openssl = try #require(Tool.openssl)
        let signature = try #require(try EmbeddedSignature(of: try signed()))
        let authority = try SigningAuthority.cached()
        try await withTemporaryFolder { folder in
            let message = Array((signature.blobs[0x10000] ?? []).dropFirst(8))
            let result = try openssl.run(
                "cms",
                "-verify",
                "-binary",
                "-inform",
                "DER",
                "-in",
                try folder.writing(message, as: "message"),
                "-content",
                try folder.writing(signature.blobs[0] ?? [], as: "directory"),
                "-CAfile",
                try folder.writing(Array(authority.anchorPEM.utf8), as: "anchor.pem"),
                "-purpose",
                "any",
                "-ignore_critical",
                "-attime",
                "1767225600",
                "-out",
                "/dev/null",
            )
            #expect(result.isContent, "\(result.output)")
        }
    }

    @Test func `each option leaves its one flaw`() throws {
        let noDER = try EmbeddedSignature(of: try signed { $0.includesDEREntitlements = false })
        #expect(noDER?.blobs[7] == nil)
        #expect(try noDER?.directory().slots == 5)
        #expect(try EmbeddedSignature(of: try signed { $0.isSigned = false }) == nil)
        let adHoc = try EmbeddedSignature(
            of: try signed {
                $0.message = .empty
                $0.flags = 2
            }
        )
        #expect(adHoc?.blobs[0x10000]?.count == 8)
        #expect(try adHoc?.directory().flags == 2)
        let absent = try EmbeddedSignature(of: try signed { $0.message = .absent })
        #expect(absent?.blobs[0x10000] == nil)
        let renamed = try EmbeddedSignature(of: try signed { $0.identifier = "com.example.other" })
        #expect(try renamed?.directory().identifier == "com.example.other")
        let strange = try EmbeddedSignature(of: try signed { $0.team = "OTHERTEAM9" })
        #expect(try strange?.directory().team == "OTHERTEAM9")
        let large = try EmbeddedSignature(of: try signed { $0.pageSizeLog2 = 16 })
        #expect(try large?.directory().pageSizeLog2 == 16)
    }
}
