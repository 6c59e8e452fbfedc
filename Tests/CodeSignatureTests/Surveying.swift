import Bundles
import Bytes
import CodeSignature
import Cryptography
import Foundation
import MachOFormat
import Sample
import Zip

/// The time at which everything is signed.
enum Moment {
    static let signing = Date(timeIntervalSince1970: 1_767_225_600)
}

/// Builds and reads IPAs for the tests.
enum Surveying {
    static func signatures(
        of ipa: [UInt8],
        trusting anchors: TrustAnchors? = nil,
        threads: Int = 2,
    ) throws -> BundleSignatures {
        let archive = try ZipArchive(reading: MemorySource(ipa))
        let application = try AppBundle(in: archive)
        let survey = SignatureSurvey(
            of: application,
            in: archive,
            trusting: try anchors ?? .apple.adding([SigningAuthority.cached().anchor]),
        )
        try archive.verify(threads: threads, sink: survey.sink)
        return survey.signatures()
    }

    /// An app with every kind of nested code, for two architectures.
    static func builder() throws -> IPABuilder {
        try plain().nesting(.widget("W"), .framework("K"), .dynamicLibrary("libz"))
    }

    /// An app without nested code.
    static func plain() throws -> IPABuilder {
        try IPABuilder(
            "Demo",
            identifier: "com.example.demo",
            by: SigningAuthority.cached(),
            at: Moment.signing,
        )
        .resource(.text("notes.txt", "sealed"))
        .resource(.text("en.lproj/Localizable.strings", "\"a\" = \"b\";"))
        .editing { $0.app.hasIcon = false }
    }
}

extension BundleSignatures {
    /// All defects as text, for comparison with what a test did.
    var complaints: [String] {
        everyBundle.flatMap { bundle -> [String] in
            let name = bundle.path.name
            var complaints = bundle.executable?.complaints ?? ["no executable"]
            if let seal = bundle.seal {
                switch seal.state {
                case .absent: complaints.append("no seal")
                case .malformed: complaints.append("malformed seal")
                case .compared:
                    complaints += seal.damages.map {
                        "\($0.kind) \($0.path.text.dropFirst(bundle.path.text.count + 1))"
                    }
                }
                complaints += seal.malformedRules.keys.map { "rule \($0)" }
            }
            return complaints.map { "\(name): \($0)" }
        } + looseCode.flatMap { code in code.complaints.map { "loose \(code.path): \($0)" } }
    }
}

extension ExecutableEvidence {
    var complaints: [String] {
        switch content {
        case .malformed: return ["malformed"]
        case .tooLarge: return ["too large"]
        case .slices(let slices): return slices.flatMap(\.complaints)
        }
    }
}

extension SliceEvidence {
    var complaints: [String] {
        switch signature {
        case .absent: return ["unsigned"]
        case .unreadable(let fault): return ["unreadable \(fault.rule.rawValue)"]
        case .read(let evidence): return evidence.complaints
        }
    }
}

extension CodeSignatureEvidence {
    var complaints: [String] {
        var complaints = faults.map { "fault \($0.rule.rawValue)" }
        for directory in directories {
            if directory.pages.state != .compared { complaints.append("\(directory.pages.state)") }
            complaints += directory.pages.mismatches.map { "page \($0.page)" }
            complaints += directory.slots.filter { $0.state != .matches }
                .map { "slot -\($0.number) \($0.state)" }
        }
        switch signer {
        case .absent: complaints.append("no message")
        case .adHoc: complaints.append("ad hoc")
        case .malformed: complaints.append("malformed message")
        case .refused(let refusal, _): complaints.append("refused \(refusal)")
        case .proven: break
        }
        if codeHashes?.list == .disagrees { complaints.append("9.1 disagrees") }
        if codeHashes?.digests == .disagrees { complaints.append("9.2 disagrees") }
        if let entitlements {
            if !entitlements.hasDER { complaints.append("no DER entitlements") }
            if let fault = entitlements.fault { complaints.append("XML \(fault)") }
            if let fault = entitlements.derFault { complaints.append("DER \(fault)") }
            complaints += entitlements.differences.map { "differs \($0)" }
        }
        return complaints
    }
}
