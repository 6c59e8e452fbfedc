import Bundles
import Bytes
import CodeSignature
import Cryptography
import Identifiers
import MachOFormat
import PropertyLists

/// Checks for which team and identifier the code is signed, and the format of its signature.
extension SignatureRules {
    static func identity(of code: SignedCode, in input: InspectionInput) -> [Complaint] {
        let profile = input.allowance(of: code.host)
        let certificate = [Complaint](code.executable.slices) { slice in
            guard let signer = slice.signature.evidence?.signer.proof?.certificate, let profile,
                !profile.certificates.isEmpty,
                !profile.certificates.contains(where: { $0.der == signer.der })
            else { return [] }
            let name = signer.subject.commonName ?? signer.subject.description
            if let unit = signer.subject.organizationalUnit, let team = profile.everyTeam.first,
                !profile.everyTeam.contains(unit)
            {
                return [
                    Complaint(
                        .signerOfOtherTeam,
                        "The code is signed with the certificate \(quoted: name) of team "
                            + "\(quoted: unit), but the profile \(quoted: profile.name) is of "
                            + "team \(quoted: team)",
                        at: code.path,
                    )
                ]
            }
            return [
                Complaint(
                    .signerNotInProfile,
                    "The code is signed with the certificate \(quoted: name), serial number "
                        + "\(signer.serialNumber), which is not among the "
                        + "\(profile.certificates.count) of the profile \(quoted: profile.name)",
                    at: code.path,
                )
            ]
        }
        let team = [Complaint](code.executable.slices) { slice in
            guard let evidence = slice.signature.evidence else { return [] }
            return Self.team(evidence, allowed: profile?.everyTeam ?? [], at: code.path)
        }
        return (certificate.isEmpty ? team : certificate) + identifier(of: code)
    }

    private static func team(
        _ evidence: CodeSignatureEvidence,
        allowed: [String],
        at path: RelativePath,
    ) -> [Complaint] {
        guard !evidence.isOfOtherCode, let team = evidence.chosen?.team else { return [] }
        let signed = "The code is signed for team \(quoted: team)"
        if let first = allowed.first, !allowed.contains(team) {
            return [
                Complaint(
                    .signerOfOtherTeam,
                    "\(signed), but the profile is of team \(quoted: first)",
                    at: path,
                )
            ]
        }
        guard let unit = evidence.signer.proof?.certificate?.subject.organizationalUnit,
            unit != team
        else { return [] }
        return [
            Complaint(
                .signerOfOtherTeam,
                "\(signed), but its signer's certificate is of team \(quoted: unit)",
                at: path,
            )
        ]
    }

    /// Reports nothing if Info.plist was changed: the identifier may be part of the change.
    private static func identifier(of code: SignedCode) -> [Complaint] {
        guard let expected = code.bundle.info.bundleIdentifier?.rawValue else { return [] }
        return [Complaint](code.executable.slices) { slice in
            guard let evidence = slice.signature.evidence, !evidence.isOfOtherCode,
                !evidence.faultySlots.contains(where: { $0.number == 1 }),
                let found = evidence.chosen?.identifier, found != expected
            else { return [] }
            return [
                Complaint(
                    .signedIdentifier,
                    "The code is signed as \(quoted: found), but CFBundleIdentifier is "
                        + "\(quoted: expected)",
                    at: code.path,
                    code.bundle.kind.hasOwnProfile ? .certain : .inferred,
                )
            ]
        }
    }

    /// Signature formats that later versions of iOS do not accept.
    static func ages(of code: [SignedCode], in input: InspectionInput) -> [Complaint] {
        let minimum = input.application.info.minimumOS
        return code.compactMap { code in
            let evidence = code.signatures.map(\.evidence).filter {
                $0.signer.proof != nil && !$0.faults.contains(where: \.isFatal)
            }
            if code.bundle.kind.hasOwnProfile,
                evidence.contains(where: { $0.entitlements?.hasDER == false })
            {
                return Complaint(
                    .noDEREntitlements,
                    "The signature has entitlements only in XML and not in DER, which iOS 15 and "
                        + "later read",
                    at: code.path,
                    .from(OSVersion(major: 15), minimum: minimum),
                )
            }
            guard let directory = evidence.lazy.compactMap(\.chosen).first(where: \.isOfOldForm)
            else { return nil }
            let version = "0x\(String(directory.version, radix: 16))"
            // "Using the latest code signature format" mentions programs but not libraries.
            guard directory.version < 0x20400, code.bundle.kind.hasOwnProfile, !code.isForWatch
            else {
                return Complaint(
                    .signatureOld,
                    "The code directory is of version \(version) with \(directory.hashType) "
                        + "digests, a form that iOS 15 and later may refuse",
                    at: code.path,
                    .inferred,
                )
            }
            return Complaint(
                .signatureOld,
                "The code directory is of version \(version), but iOS 15 and later ask for 0x20400 "
                    + "or later",
                at: code.path,
                .from(OSVersion(major: 15), minimum: minimum),
            )
        }
    }
}

extension DirectoryEvidence {
    /// Xcode has written version 0x20400 and SHA-256 since 2019 at the latest.
    fileprivate var isOfOldForm: Bool { version < 0x20400 || hashType == .sha1 }
}

extension ProvisioningProfile {
    /// Every team in the profile; another rule reports a contradiction among them.
    fileprivate var everyTeam: [String] {
        let entitled = entitlements["com.apple.developer.team-identifier"]?.string
        return teamIdentifiers + [entitled].compactMap(\.self)
    }
}
