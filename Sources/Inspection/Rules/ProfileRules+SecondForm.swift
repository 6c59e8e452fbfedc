import Bundles
import Bytes
import Identifiers

/// Checks `DER-Encoded-Profile`, the second form inside the profile, which "TN3125: Inside Code Signing:
/// Provisioning Profiles" calls the source of truth. iOS requires it since iOS 15.
extension ProfileRules {
    /// Reports nothing for a Mac's profile, which the second form would not make usable.
    static func secondForm(
        of profile: ProvisioningProfile,
        in bundle: AppBundle,
    ) -> [Finding] {
        guard profile.platforms.isEmpty || profile.platforms.contains("iOS") else { return [] }
        switch profile.secondForm {
        case .notJudged, .read(differences: []):
            return []
        case .absent:
            // For a profile of a private authority, the authority itself is what keeps devices from
            // accepting it.
            guard profile.trust == .apple else { return [] }
            return [
                Rule.secondFormMissing.finding(
                    "The profile \(quoted: profile.name) has no DER-Encoded-Profile, which iOS 15 "
                        + "and later require.",
                    at: bundle.profilePlace,
                    from: OSVersion(major: 15),
                    minimum: bundle.info.minimumOS,
                )
            ]
        case .malformed(let reason):
            return [
                refusal("cannot be read: \(PrintableText(escaping: reason, limit: 300))", bundle)
            ]
        case .refused(let reason):
            return [
                refusal(
                    "is not signed as it should be: "
                        + "\(PrintableText(escaping: "\(reason)", limit: 300))",
                    bundle,
                )
            ]
        case .read(let differences):
            return [difference(differences, in: bundle)]
        case .readFromOther(let signer, let differences):
            let unusual = Rule.secondSignatureRefused.inference(
                "The profile's second form, DER-Encoded-Profile, is signed by \(quoted: signer), "
                    + "which is not known to sign profiles.",
                at: bundle.profilePlace,
            )
            return [unusual] + (differences.isEmpty ? [] : [difference(differences, in: bundle)])
        }
    }

    private static func refusal(_ reason: String, _ bundle: AppBundle) -> Finding {
        Rule.secondSignatureRefused.finding(
            "The profile's second form, DER-Encoded-Profile, which iOS 15 and later use, \(reason).",
            at: bundle.profilePlace,
            from: OSVersion(major: 15),
            minimum: bundle.info.minimumOS,
        )
    }

    private static func difference(_ keys: [String], in bundle: AppBundle) -> Finding {
        Rule.secondFormDiffers.inference(
            "The profile's second form, DER-Encoded-Profile, which iOS 15 and later use, does not "
                + "agree with the first about \(quoted: keys).",
            at: bundle.profilePlace,
        )
    }
}
