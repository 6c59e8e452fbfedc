import Bundles
import Bytes
import PropertyLists

/// The bundle identifier against what the profile grants: catalogue row 7, TN3125.
enum IdentifierRules {
    static func findings(in specimen: Specimen) -> [Finding] {
        specimen.provisioned.flatMap { bundle in
            guard let profile = specimen.profile(of: bundle).profile else { return [Finding]() }
            return grant(of: profile, to: bundle) + team(of: profile, in: bundle)
        }
    }

    private static func grant(
        of profile: ProvisioningProfile,
        to bundle: AppBundle,
    ) -> [Finding] {
        guard let granted = profile.applicationIdentifier else {
            return [
                Rule.identifierMismatch.finding(
                    "The profile \(quoted: profile.name) grants no application identifier.",
                    at: bundle.profilePlace,
                )
            ]
        }
        var findings: [Finding] = []
        if let identifier = bundle.info.bundleIdentifier, !granted.grants(identifier.rawValue) {
            findings.append(
                Rule.identifierMismatch.finding(
                    "The bundle identifier is \(quoted: identifier.rawValue), and the profile "
                        + "\(quoted: profile.name) grants \(quoted: granted.rawValue).",
                    at: bundle.profilePlace,
                )
            )
        }
        let prefixes = profile.applicationIdentifierPrefixes
        if !prefixes.isEmpty, !prefixes.contains(String(granted.prefix)) {
            findings.append(
                Rule.prefixMismatch.inference(
                    "The profile grants \(quoted: granted.rawValue), and its prefix is none of "
                        + "\(quoted: prefixes) (ApplicationIdentifierPrefix).",
                    at: bundle.profilePlace,
                )
            )
        }
        return findings
    }

    /// The prefix of an old account may differ from the team; the team itself may not.
    private static func team(of profile: ProvisioningProfile, in bundle: AppBundle) -> [Finding] {
        guard let entitled = profile.entitlements["com.apple.developer.team-identifier"]?.string,
            !profile.teamIdentifiers.isEmpty, !profile.teamIdentifiers.contains(entitled)
        else { return [] }
        return [
            Rule.teamMismatch.inference(
                "The profile entitles team \(quoted: entitled) and belongs to team "
                    + "\(quoted: profile.teamIdentifiers[0]).",
                at: bundle.profilePlace,
            )
        ]
    }
}

extension Rule {
    static let identifier = [identifierMismatch, prefixMismatch, teamMismatch]

    fileprivate static let identifierMismatch = Rule(
        "profile.identifier-mismatch",
        .blocks,
        "The provisioning profile is for another app",
        mend: "Create a profile for this bundle identifier, or correct PRODUCT_BUNDLE_IDENTIFIER, "
            + "and export again.",
        appleCode: "0xe8008015",
    )
    fileprivate static let prefixMismatch = Rule(
        "profile.prefix-mismatch",
        .warns,
        "The provisioning profile contradicts itself about its prefix",
        mend: "Download the profile again from Certificates, Identifiers & Profiles and export "
            + "again.",
    )
    fileprivate static let teamMismatch = Rule(
        "profile.team-mismatch",
        .warns,
        "The provisioning profile contradicts itself about its team",
        mend: "Download the profile again from Certificates, Identifiers & Profiles and export "
            + "again.",
    )
}
