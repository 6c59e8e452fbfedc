import Bundles
import Bytes
import CodeSignature

/// Checks the files of every bundle against its seal.
///
/// Each bundle's seal also covers its nested bundles, so a file is reported with the innermost seal that
/// it breaks, and not at all where another rule reports it more precisely.
enum SealRules {
    static func findings(in input: InspectionInput) -> [Finding] {
        var reported = explained(in: input)
        var findings: [[Finding]] = []
        let folders = SealedFolders(input)
        for code in input.code.reversed() {
            guard let seal = code.seal else { continue }
            let own = code.damages.filter { reported.insert($0.path).inserted }
            let (whole, single) = folders.complaints(about: own, below: code.bundle.path)
            findings.append((state(of: seal, code) + whole + single.map(complaint)).findings)
        }
        return findings.reversed().flatMap(\.self)
    }

    /// All complaints about the seal of one bundle, including those that other findings cover.
    static func complaints(about code: SignedCode) -> [Complaint] {
        guard let seal = code.seal else { return [] }
        return state(of: seal, code) + code.damages.map(complaint)
    }

    /// The paths for which other rules already report a blocking problem.
    private static func explained(in input: InspectionInput) -> Set<RelativePath> {
        var paths: Set<RelativePath> = []
        for code in input.code {
            let complaints =
                SignatureRules.integrity(of: code, in: input) + CodeRules.form(of: code)
            paths.formUnion(complaints.filter { $0.certainty == .certain }.map(\.place))
            if code.isSigned, code.seal?.state == .absent { paths.insert(code.bundle.sealPlace) }
        }
        for bundle in input.provisioned {
            if !bundle.defects.isEmpty { paths.insert(bundle.infoPlace) }
            if bundle.executable == nil, let name = bundle.info.executableName {
                paths.insert(bundle.path / RelativePath(name))
            }
            switch input.profile(of: bundle) {
            case .absent where input.lent(to: bundle) != nil: break
            case .unreadable, .absent: paths.insert(bundle.profilePlace)
            case .read(let profile):
                if case .unverified = profile.trust { paths.insert(bundle.profilePlace) }
            }
        }
        return paths
    }

    /// Checks that the seal exists and is readable; a changed seal is already reported by another rule.
    private static func state(of seal: SealEvidence, _ code: SignedCode) -> [Complaint] {
        let place = code.bundle.sealPlace
        switch seal.state {
        case .absent:
            guard code.isSigned else { return [] }
            return [Complaint(.sealAbsent, "The code is signed, but there is no seal", at: place)]
        case .malformed(let reason):
            guard !code.hasChangedSeal else { return [] }
            let reason = PrintableText(escaping: "\(reason)", limit: 300)
            return [Complaint(.sealMalformed, "The seal cannot be read: \(reason)", at: place)]
        case .compared(let version, _):
            var complaints: [Complaint] = []
            if version < 2 {
                complaints.append(
                    Complaint(
                        .sealOld,
                        "The seal has only SHA-1 digests (files without files2)",
                        at: place,
                        .inferred,
                    )
                )
            }
            if let (pattern, reason) = seal.malformedRules.min(by: { $0.key < $1.key }) {
                let reason = PrintableText(escaping: "\(reason)", limit: 300)
                complaints.append(
                    Complaint(
                        .sealUnclear,
                        "The seal's rule \(quoted: pattern) is not a valid regular expression: "
                            + "\(reason)",
                        at: place,
                        .inferred,
                    )
                )
            }
            return complaints
        }
    }

    private static func complaint(about damage: SealDamage) -> Complaint {
        let file = "\(quoted: damage.path.name)"
        let (rule, message): (Rule, String) =
            switch damage.kind {
            case .modified: (.sealModified, "\(file) was changed after the bundle was signed")
            case .codeReplaced: (.sealModified, "The code \(file) is not the one that was sealed")
            case .missing: (.sealMissing, "\(file) was sealed, but is missing")
            case .added: (.sealAdded, "\(file) was added after the bundle was signed")
            case .linkMoved(let sealed, let found):
                (
                    .sealLink,
                    "The link \(file) was sealed with the target \(quoted: sealed), but points to "
                        + "\(quoted: found)",
                )
            case .linkReplaced(let sealed):
                (
                    .sealLink,
                    "\(file) was sealed as a link to \(quoted: sealed), but is now a file",
                )
            case .linkInPlaceOfFile:
                (.sealLink, "\(file) was sealed as a file, but is now a link")
            case .unreadableEntry: (.sealMalformed, "The seal has no digest of \(file)")
            case .undecided:
                (
                    .sealUnclear,
                    "The seal's rules are too costly to evaluate, so it is not known whether "
                        + "\(file) is allowed",
                )
            }
        return Complaint(
            rule,
            message,
            at: damage.path,
            damage.kind == .undecided ? .inferred : .certain,
        )
    }
}

extension SignedCode {
    /// The files that differ from the seal; empty when the seal is not the signed one, because it then
    /// proves nothing.
    var damages: [SealDamage] { hasChangedSeal ? [] : seal?.damages ?? [] }

    /// Whether the seal differs from the one that was signed.
    var hasChangedSeal: Bool {
        signatures.contains { signature in
            signature.evidence.faultySlots.contains { $0.number == 3 && $0.state == .differs }
        }
    }
}
