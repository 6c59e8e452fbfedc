import Bundles
import CodeSignature
import Cryptography
import Foundation
import MachOFormat
import PropertyLists
import Sample
import Signing
import Testing

@Suite struct BundleSignaturesTests {
    private func complaints(
        _ change: (IPABuilder) throws -> IPABuilder
    ) throws -> [String] {
        try Surveying.signatures(of: change(Surveying.plain()).bytes()).complaints
    }

    @Test func `an intact app has no fault in any bundle`() throws {
        let signatures = try Surveying.signatures(of: Surveying.builder().bytes())
        #expect(signatures.complaints == [])
        #expect(signatures.isIntact)
        #expect(
            signatures.everyBundle.map(\.kind) == [
                .application, .framework, .dynamicLibrary, .appExtension,
            ]
        )
        #expect(signatures.nested.allSatisfy { ($0.seal == nil) == ($0.kind == .dynamicLibrary) })
        #expect(signatures.looseCode.isEmpty)
    }

    @Test func `what a signature says can be read`() throws {
        let signatures = try Surveying.signatures(of: Surveying.builder().bytes())
        let slice = try #require(signatures.executable?.slices.first)
        let evidence = try #require(slice.signature.evidence)
        let chosen = try #require(evidence.chosen)
        #expect(slice.processor == .arm64)
        #expect(slice.fileType == .executable)
        #expect(slice.buildVersions.first?.platform == .iOS)
        #expect(slice.encryption?.isEncrypted != true)
        #expect(!slice.libraries.isEmpty)
        #expect(chosen.identifier == "com.example.demo")
        #expect(chosen.team == DevelopmentTeam.sample.identifier)
        #expect(chosen.hashType == .sha256)
        #expect(chosen.pageSize == 4096)
        #expect(chosen.codeHash.count == 20)
        #expect(chosen.slots.map(\.number) == [1, 2, 3, 5, 7])
        #expect(chosen.pages.count > 0)
        #expect(evidence.codeHashes?.list == .agrees)
        #expect(evidence.codeHashes?.digests == .agrees)
        #expect(evidence.requirements?.contains(#"identifier "com.example.demo""#) == true)
        #expect(evidence.entitlements?.claimed?["application-identifier"]?.string != nil)
        let proof = try #require(evidence.signer.proof)
        #expect(proof.chain.count == 3)
        #expect(!proof.anchor.isApple)
        #expect(proof.signingTime == Moment.signing)
    }

    @Test func `nobody is believed whose root is not trusted`() throws {
        let signatures = try Surveying.signatures(
            of: Surveying.plain().bytes(),
            trusting: .apple,
        )
        let evidence = signatures.executable?.slices.first?.signature.evidence
        guard case .refused(.untrustedRoot, let claimed) = evidence?.signer else {
            Issue.record("the signer was not refused")
            return
        }
        #expect(claimed != nil)
        #expect(evidence?.codeHashes == nil)
    }

    @Test func `dates are asked apart from the signature`() throws {
        let authority = try SigningAuthority.cached()
        let ipa = try Surveying.plain()
            .signing { $0.identity = try? authority.expired(at: Moment.signing) }
        let signatures = try Surveying.signatures(of: ipa.bytes())
        #expect(signatures.complaints == [])
        let signer = signatures.executable?.slices.first?.signature.evidence?.signer
        let proof = try #require(signer?.proof)
        guard case .expired = proof.refusal(at: Moment.signing) else {
            Issue.record("the certificate has not expired")
            return
        }
        let expires = try #require(proof.expires)
        #expect(proof.refusal(at: expires) == nil)
    }

    @Test(arguments: Flaw.all)
    func `each flaw of a signature is found, and nothing else`(flaw: Flaw) throws {
        let found = try complaints { $0.signing(flaw.make) }
        #expect(found.map { String($0.dropFirst("Demo.app: ".count)) } == flaw.complaints)
    }

    @Test func `older forms of a signature hold as well`() throws {
        let forms: [@Sendable (inout SigningOptions) -> Void] = [
            { $0.hashes = [.sha1] }, { $0.hashes = [.sha1, .sha256] }, { $0.hashes = [.sha384] },
            { $0.pageSizeLog2 = 14 }, { $0.version = 0x20100 }, { $0.version = 0x20500 },
        ]
        for form in forms {
            #expect(try complaints { $0.signing(form) } == [])
        }
    }

    @Test func `a universal app has its pages counted from each slice`() throws {
        let ipa = try Surveying.plain().editing { $0.app.architectures = [.armv7, .arm64] }
        let signatures = try Surveying.signatures(of: ipa.bytes())
        #expect(signatures.complaints == [])
        #expect(signatures.executable?.slices.map(\.processor) == [.armv7, .arm64])
        let second = try #require(signatures.executable?.slices.last)
        let damaged = try Surveying.signatures(
            of: ipa.afterSigning { try $0.flip("Demo", at: second.range.lowerBound + 4100) }
                .bytes()
        )
        let slices = try #require(damaged.executable?.slices)
        #expect(slices.first?.complaints == [])
        let pages = try #require(slices.last?.signature.evidence?.chosen?.pages)
        #expect(pages.mismatchCount == 1)
        #expect(pages.mismatches.map(\.page) == [1])
        #expect(pages.mismatches.map(\.offset) == [second.range.lowerBound + 4096])
    }

    @Test(arguments: Damage.all)
    func `each damage is found where it was done`(damage: Damage) throws {
        let ipa = try Surveying.builder().afterSigning(damage.make)
        let found = try Surveying.signatures(of: ipa.bytes()).complaints
        #expect(found == damage.complaints)
    }

    @Test func `a program that ends early is never intact`() throws {
        let ipa = try Surveying.plain()
        let count = try ipa.tree().bytes(of: "Demo").count
        for length in stride(from: 0, to: count, by: max(1, count / 97)) {
            let cut = ipa.afterSigning { tree in
                try tree.edit("Demo") { $0.removeLast($0.count - length) }
            }
            let signatures = try Surveying.signatures(of: cut.bytes())
            #expect(signatures.executable?.isIntact == false, "\(length) of \(count) bytes")
        }
    }

    @Test func `every thread count finds the same`() throws {
        let ipa = try Surveying.builder().afterSigning { tree in
            try tree.flip("PlugIns/W.appex/W", at: 5000)
            try tree.flip("notes.txt", at: 1)
        }
        let bytes = try ipa.bytes()
        let alone = try Surveying.signatures(of: bytes, threads: 1).complaints
        #expect(alone.count == 3)
        for threads in [2, 5, 16] {
            #expect(try Surveying.signatures(of: bytes, threads: threads).complaints == alone)
        }
    }

    @Test func `code that no bundle names is judged too`() throws {
        let executable = try Surveying.plain().tree().bytes(of: "Demo")
        let found = try complaints {
            $0.afterSigning { $0.add(.file("tool", executable)) }
        }
        #expect(
            found == [
                "Demo.app: added tool", "loose Payload/Demo.app/tool: slot -1 incomparable",
                "loose Payload/Demo.app/tool: slot -3 incomparable",
            ]
        )
    }
}

/// A defective way to sign, and the complaint that it must cause.
struct Flaw: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let complaints: [String]
    let make: @Sendable (inout SigningOptions) -> Void

    init(
        _ name: String,
        _ complaints: [String],
        _ make: @escaping @Sendable (inout SigningOptions) -> Void,
    ) {
        testDescription = name
        self.complaints = complaints
        self.make = make
    }

    static let all: [Flaw] = [
        Flaw("unsigned", ["unsigned", "no seal"]) { $0.isSigned = false },
        Flaw("ad hoc", ["ad hoc"]) { $0.message = .empty },
        Flaw("no message", ["no message"]) { $0.message = .absent },
        Flaw("without DER", ["no DER entitlements"]) { $0.includesDEREntitlements = false },
        Flaw("hashes misstated", ["9.1 disagrees", "9.2 disagrees"]) { $0.misstatesHashes = true },
        Flaw("another DER", ["DER DER entitlements at offset 0 is not ASN.1 (truncatedASN1Field)"])
        {
            $0.derEntitlements = []
        },
        Flaw("without chain", ["refused \(SignatureRefusal.untrustedRoot(worldwide))"]) {
            $0.includesChain = false
        },
    ]

    private static let worldwide = "Apple Worldwide Developer Relations Certification Authority"
}

/// A change after signing, and the complaint that it must cause.
struct Damage: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let complaints: [String]
    let make: @Sendable (inout SampleTree) throws -> Void

    init(
        _ name: String,
        _ complaints: [String],
        _ make: @escaping @Sendable (inout SampleTree) throws -> Void,
    ) {
        testDescription = name
        self.complaints = complaints
        self.make = make
    }

    static let all: [Damage] = [
        Damage("a file changed", ["Demo.app: modified notes.txt"]) {
            try $0.flip("notes.txt", at: 0)
        },
        Damage("a file gone", ["Demo.app: missing notes.txt"]) { try $0.remove("notes.txt") },
        Damage("a translation gone", []) { try $0.remove("en.lproj/Localizable.strings") },
        Damage("a translation changed", ["Demo.app: modified en.lproj/Localizable.strings"]) {
            try $0.flip("en.lproj/Localizable.strings", at: 0)
        },
        Damage("a file added", ["Demo.app: added more.txt"]) { $0.add(.text("more.txt", "")) },
        Damage("a file the rules omit", []) { $0.add(.text(".DS_Store", "x")) },
        Damage(
            "a link in place of a file",
            ["Demo.app: linkInPlaceOfFile notes.txt"],
        ) {
            try $0.remove("notes.txt")
            $0.add(.symbolicLink("notes.txt", to: "Info.plist"))
        },
        Damage("Info.plist changed", ["Demo.app: slot -1 differs"]) {
            let list = try PropertyList(reading: try $0.bytes(of: "Info.plist"))
            var values = list.dictionary ?? [:]
            values["Later"] = .boolean(true)
            try $0.replace("Info.plist", with: PropertyList.dictionary(values).binary())
        },
        Damage("the seal changed", ["Demo.app: slot -3 differs"]) {
            let bytes = try $0.bytes(of: "_CodeSignature/CodeResources")
            try $0.replace("_CodeSignature/CodeResources", with: bytes + [10])
        },
        Damage("the seal gone", ["Demo.app: slot -3 missing", "Demo.app: no seal"]) {
            try $0.remove("_CodeSignature/CodeResources")
        },
        Damage("code changed", ["Demo.app: page 1"]) { try $0.flip("Demo", at: 5000) },
        Damage(
            "an extension's code changed",
            ["Demo.app: modified PlugIns/W.appex/W", "W.appex: page 1"],
        ) { try $0.flip("PlugIns/W.appex/W", at: 5000) },
        Damage(
            "a library changed",
            ["Demo.app: modified Frameworks/libz.dylib", "libz.dylib: page 0"],
        ) { try $0.flip("Frameworks/libz.dylib", at: 3000) },
        Damage("no Mach-O file", ["Demo.app: malformed"]) {
            try $0.replace("Demo", with: Array("#!/bin/sh".utf8))
        },
        Damage("a program without bytes", ["Demo.app: malformed"]) {
            try $0.replace("Demo", with: [])
        },
    ]
}

extension VerifiedMessage.Anchor {
    var isApple: Bool { self == .apple }
}
