import Cryptography
import Foundation
import Inspection
import MachOFormat
import PropertyLists
import Sample
import Signing

extension RuleCase {
    static let signature: [RuleCase] = form + signer + content + signatureOwner

    private static let program = "/Example"
    private static let library = "/Frameworks/libswiftOld.dylib"
    private static let kit = "/Frameworks/Kit.framework/Kit"

    private static let form: [RuleCase] = [
        RuleCase("signature.missing", at: program) { $0.unsigned() },
        RuleCase("signature.missing", at: kit) {
            $0.nesting(.framework("Kit")) { $0.signing.isSigned = false }
        },
        RuleCase("signature.missing", at: "/PlugIns/W.appex/W") {
            $0.nesting(.widget("W")) { $0.signing.isSigned = false }
        },
        RuleCase("signature.not-main-binary", .warns, at: program) {
            $0.signing { $0.marksPrograms = false }
        },
        RuleCase("signature.not-main-binary", .warns, at: "/PlugIns/W.appex/W") {
            $0.nesting(.widget("W")) { $0.signing.marksPrograms = false }
        },
        RuleCase("signature.malformed", at: program) {
            $0.afterSigning { tree in
                try tree.flip("Example", at: try tree.signatureRange(of: "Example").lowerBound)
            }
        },
        RuleCase("signature.malformed", at: program) {
            $0.afterSigning { try $0.flip(.codeDirectory, at: 37) }
        },
        RuleCase("signature.page-size", at: program) { $0.signing { $0.pageSizeLog2 = 13 } },
        RuleCase("signature.malformed", at: program) {
            $0.signing { $0.hasEmptyScatterList = true }
        },
        // Seen in a genuine Ad Hoc build.
        RuleCase("signature.irregular", .notes, at: program) {
            $0.afterSigning { try $0.flip("Example", at: -1) }
        },
        // The CodeDirectory that devices ignore is of other code.
        RuleCase("signature.irregular", .warns, at: program) {
            $0.signing {
                $0.hashes = [.sha1, .sha256]
                $0.misdigestingHash = .sha1
            }
        },
        RuleCase("signature.irregular", .warns, at: library) {
            $0.nesting(.dynamicLibrary("libswiftOld")) {
                $0.adjustExecutable = { $0.information = Array("<plist/>".utf8) }
                $0.signing.informationSlot = Array("other".utf8)
            }
        },
        RuleCase("signature.irregular", .warns, at: library) {
            $0.nesting(.dynamicLibrary("libswiftOld")) {
                $0.signing.informationSlot = Array("other".utf8)
            }
        },
        RuleCase("signature.irregular", .warns, at: program) {
            $0.afterSigning { try $0.edit("Example") { $0 += [0, 0, 0, 0] } }
        },
        // Exceeds the memory for executables, so that none is kept.
        RuleCase("signature.unproven", at: program) {
            $0.nesting(.framework("Kit")) {
                $0.entitlements["note"] = .boolean(true)
                $0.signing.xmlEntitlements = [UInt8](repeating: 0x20, count: 9 << 20)
            }
        },
        RuleCase("signature.loose-code", .warns, at: "/tool") {
            $0.resource(
                .file(
                    "tool",
                    try MachOBuilder(.dynamicLibrary, named: "tool").slice(reservingSignature: 0)
                        .bytes,
                )
            )
        },
    ]

    private static let signer: [RuleCase] = [
        RuleCase("signature.ad-hoc", at: program) { $0.signing { $0.message = .empty } },
        RuleCase("signature.ad-hoc", at: program) { $0.signing { $0.message = .absent } },
        RuleCase("signature.ad-hoc", at: "/Frameworks/libz.dylib") {
            $0.nesting(.dynamicLibrary("libz")) { $0.signing.message = .empty }
        },
        RuleCase("signature.message-invalid", at: program) {
            $0.afterSigning { try $0.flip(.message, at: 8) }
        },
        RuleCase("signature.message-invalid", at: program) {
            $0.afterSigning { try $0.flip(.message, at: -1) }
        },
        RuleCase("signature.message-invalid", at: program) {
            $0.afterSigning { try $0.flip(.codeDirectory, at: -1) }
        },
        RuleCase("signature.chain-incomplete", at: program) {
            $0.signing { $0.includesChain = false }
        },
        RuleCase("signature.untrusted", at: program) {
            let stranger = try SigningAuthority(validFrom: GoodBuild.signing)
            return $0.signed(by: stranger.distribution)
        },
        RuleCase("signature.untrusted", at: program) {
            let stranger = try SigningAuthority(validFrom: GoodBuild.signing)
            return $0.signed(by: stranger.distribution).nesting(.framework("Kit")) {
                $0.signing.identity = stranger.distribution
            }
        },
        RuleCase("signature.signer-policy", at: program) {
            try $0.signed(
                by: $0.authority.identity(
                    .unmarked,
                    from: GoodBuild.signing,
                    until: GoodBuild.now.addingDays(300),
                )
            )
        },
        RuleCase("signature.signer-policy", at: program) {
            try $0.signed(
                by: $0.authority.identity(
                    .distribution,
                    from: GoodBuild.signing,
                    until: GoodBuild.now.addingDays(300),
                    issuer: $0.authority.phoneAuthority,
                )
            )
        },
        RuleCase("signature.signer-policy", at: program) { try $0.signed(by: .macDistribution) },
        RuleCase("signature.signer-policy", at: program) { try $0.signed(by: .macDevelopment) },
        RuleCase("signature.hash-mismatch", at: program) {
            $0.signing { $0.misstatesHashes = true }
        },
    ]

    private static let content: [RuleCase] = [
        RuleCase("signature.pages-changed", at: program) {
            $0.afterSigning { try $0.flip("Example", at: 5000) }
        },
        RuleCase("signature.pages-changed", at: kit) {
            $0.nesting(.framework("Kit")).afterSigning {
                try $0.flip("Frameworks/Kit.framework/Kit", at: 5000)
            }
        },
        RuleCase("signature.pages-changed", at: program) {
            $0.signing {
                $0.hashes = [.sha1, .sha256]
                $0.misdigestingHash = .sha256
            }
        },
        RuleCase("signature.program-exchanged", at: program) {
            let other = try GoodBuild.app("com.example.other").tree().bytes(of: "Example")
            return $0.afterSigning { try $0.replace("Example", with: other) }
        },
        // From another version of the app.
        RuleCase("signature.program-exchanged", at: program) {
            let other = try GoodBuild.app().version("1.1", build: "33")
                .resource(.text("more.txt", "")).tree().bytes(of: "Example")
            return $0.afterSigning { try $0.replace("Example", with: other) }
        },
        RuleCase("signature.program-exchanged", at: "/PlugIns/W.appex/W") {
            let other = try GoodBuild.app().nesting(.widget("W")) {
                $0.version = "1.1"
                $0.resources.append(.text("more.txt", ""))
            }
            .tree().bytes(of: "PlugIns/W.appex/W")
            return $0.nesting(.widget("W")).afterSigning {
                try $0.replace("PlugIns/W.appex/W", with: other)
            }
        },
        RuleCase("signature.part-changed", at: program) {
            $0.afterSigning { try $0.flip(.requirements, at: -1) }
        },
        RuleCase("signature.part-changed", at: program) {
            $0.signing { $0.uncoveredSlots = [7] }
        },
        RuleCase("signature.info-changed", at: "/Info.plist") {
            $0.afterSigning { try $0.editInfo(of: "") }
        },
        // The CodeDirectory that devices choose covers what the other one leaves out.
        RuleCase("signature.info-changed", at: "/Info.plist") {
            $0.signing {
                $0.hashes = [.sha1, .sha256]
                $0.uncoveredSlots = [1]
                $0.uncoveringHash = .sha1
            }
            .afterSigning { try $0.editInfo(of: "") }
        },
        RuleCase("signature.info-changed", at: "/PlugIns/W.appex/Info.plist") {
            $0.nesting(.widget("W")).afterSigning { try $0.editInfo(of: "PlugIns/W.appex/") }
        },
        RuleCase("signature.seal-changed", at: "/_CodeSignature/CodeResources") {
            $0.afterSigning { try $0.edit("_CodeSignature/CodeResources") { $0.append(10) } }
        },
        RuleCase("signature.seal-changed", at: "/PlugIns/W.appex/_CodeSignature/CodeResources") {
            $0.nesting(.widget("W")).afterSigning {
                try $0.edit("PlugIns/W.appex/_CodeSignature/CodeResources") { $0.append(10) }
            }
        },
        RuleCase("signature.seal-changed", at: "/_CodeSignature/CodeResources") {
            $0.afterSigning {
                try $0.replace("_CodeSignature/CodeResources", with: Array("sealed".utf8))
            }
        },
        RuleCase("signature.uncovered", .warns, at: "/Info.plist") {
            $0.signing { $0.uncoveredSlots = [1] }
        },
        RuleCase("signature.uncovered", .warns, at: "/_CodeSignature/CodeResources") {
            $0.signing { $0.uncoveredSlots = [3] }
        },
        RuleCase("signature.uncovered", .warns, at: program) {
            $0.signing { $0.uncoveredSlots = [2] }
        },
        RuleCase("signature.uncovered", .warns, at: program) {
            $0.signing { $0.coveredCode = 8192 }
        },
    ]
}

extension IPABuilder {
    /// Signs the app with a certificate of this purpose, which its profile allows.
    fileprivate func signed(by purpose: SigningPurpose) throws -> IPABuilder {
        try signed(
            by: authority.identity(
                purpose,
                from: GoodBuild.signing,
                until: GoodBuild.now.addingDays(300),
            )
        )
    }

    /// Signs the app with an identity that its profile allows in addition to the usual one.
    fileprivate func signed(by identity: SigningIdentity) -> IPABuilder {
        let usual = authority.distribution.certificate
        return editingProfile { $0.certificates = [usual, identity.certificate] }
            .signing { $0.identity = identity }
    }
}

extension SampleTree {
    /// Sets a meaningless key in a bundle's Info.plist.
    fileprivate mutating func editInfo(of bundle: String) throws {
        let path = bundle + "Info.plist"
        var values = try PropertyList(reading: try bytes(of: path)).dictionary ?? [:]
        values["Later"] = .boolean(true)
        try replace(path, with: PropertyList.dictionary(values).binary())
    }
}
