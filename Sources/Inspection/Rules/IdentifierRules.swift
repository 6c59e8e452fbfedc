import Bundles
import Bytes
import CodeSignature
import Identifiers
import PropertyLists

/// Checks the identifiers in Info.plist and in the code against the profile's (TN3125).
enum IdentifierRules {
    static func findings(in input: InspectionInput) -> [Finding] {
        input.provisioned.flatMap { bundle in
            guard let profile = input.profile(of: bundle).profile else { return [Finding]() }
            return identifier(of: bundle, under: profile, in: input)
                + prefix(of: profile, in: bundle) + team(of: profile, in: bundle)
        }
    }

    /// Devices compare the code's entitlement with the profile, so it takes precedence where it exists.
    private static func identifier(
        of bundle: AppBundle,
        under profile: ProvisioningProfile,
        in input: InspectionInput,
    ) -> [Finding] {
        guard let granted = profile.applicationIdentifier else {
            return [
                Rule.identifierMismatch.finding(
                    "The profile \(quoted: profile.name) grants no application identifier.",
                    at: bundle.profilePlace,
                )
            ]
        }
        let code = EntitledCode(of: bundle, in: input)
        let claimed = code?.identifiers ?? []
        let uncovered = claimed.first { !granted.covers($0) }
        if let identifier = bundle.info.bundleIdentifier, !granted.grants(identifier.rawValue),
            claimed.isEmpty || uncovered != nil
        {
            return [
                Rule.identifierMismatch.finding(
                    "The bundle identifier is \(quoted: identifier.rawValue), but the profile "
                        + "\(quoted: profile.name) grants \(quoted: granted.rawValue).",
                    at: bundle.profilePlace,
                )
            ]
        }
        guard let code else { return [] }
        if let uncovered {
            return [
                Rule.claimMismatch.finding(
                    "The code claims application-identifier \(quoted: uncovered.rawValue), but the "
                        + "profile \(quoted: profile.name) grants \(quoted: granted.rawValue).",
                    at: code.path,
                )
            ]
        }
        let missing = missing(in: code)
        return missing.isEmpty ? differing(of: code) : missing
    }

    /// Each architecture has a signature, and so entitlements, of its own.
    private static func missing(in code: EntitledCode) -> [Finding] {
        [Complaint](code.slices) { slice in
            guard slice.lacksIdentifier else { return [] }
            return [
                Complaint(
                    .claimMissing,
                    "The code is signed without the entitlement application-identifier",
                    at: code.path,
                )
            ]
        }
        .findings
    }

    private static func differing(of code: EntitledCode) -> [Finding] {
        guard let expected = code.bundle.info.bundleIdentifier?.rawValue,
            let other = code.identifiers.first(where: { $0.pattern != expected })
        else { return [] }
        return [
            Rule.claimDiffers.inference(
                "The code claims application-identifier \(quoted: other.rawValue), but the "
                    + "bundle identifier is \(quoted: expected).",
                at: code.path,
            )
        ]
    }

    private static func prefix(
        of profile: ProvisioningProfile,
        in bundle: AppBundle,
    ) -> [Finding] {
        let prefixes = profile.applicationIdentifierPrefixes
        guard let granted = profile.applicationIdentifier, !prefixes.isEmpty,
            !prefixes.contains(String(granted.prefix))
        else { return [] }
        return [
            Rule.prefixMismatch.inference(
                "The profile grants \(quoted: granted.rawValue), but its prefix is none of "
                    + "\(quoted: prefixes) (ApplicationIdentifierPrefix).",
                at: bundle.profilePlace,
            )
        ]
    }

    /// The prefix of an old account may differ from the team; the team identifier itself may not.
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

extension SliceEvidence {
    /// Whether neither form of the entitlements has an application identifier; false for unreadable
    /// entitlements.
    var lacksIdentifier: Bool {
        guard let entitlements = signature.evidence?.entitlements else { return true }
        guard entitlements.fault == nil, entitlements.derFault == nil else { return false }
        return [entitlements.claimed, entitlements.encoded].allSatisfy {
            $0?["application-identifier"]?.string == nil
        }
    }
}

extension Rule {
    static let identifier = [
        identifierMismatch, prefixMismatch, teamMismatch, claimMissing, claimMismatch, claimDiffers,
    ]

    fileprivate static let identifierMismatch = Rule(
        "profile.identifier-mismatch",
        .blocks,
        "The provisioning profile is for another app",
        fix: "Create a profile for this bundle identifier, or correct PRODUCT_BUNDLE_IDENTIFIER, "
            + "and export again.",
        appleCode: "0xe8008015",
        causes: [.applicationIdentifierNotInProfile],
    )
    fileprivate static let prefixMismatch = Rule(
        "profile.prefix-mismatch",
        .warns,
        "The provisioning profile contains contradictory prefixes",
        fix: "Download the profile again from Certificates, Identifiers & Profiles and export "
            + "again.",
    )
    fileprivate static let teamMismatch = Rule(
        "profile.team-mismatch",
        .warns,
        "The provisioning profile contains contradictory teams",
        fix: "Download the profile again from Certificates, Identifiers & Profiles and export "
            + "again.",
    )
    fileprivate static let claimMissing = Rule(
        "entitlement.identifier-missing",
        .blocks,
        "The code does not claim an application identifier",
        fix: "Sign with the entitlements of the target: export with xcodebuild -exportArchive, or "
            + "give codesign an --entitlements file with application-identifier.",
        appleCode: "0xe8008015",
        causes: [.applicationIdentifierMissing],
    )
    fileprivate static let claimMismatch = Rule(
        "entitlement.identifier-mismatch",
        .blocks,
        "The code claims an application identifier that the profile does not grant",
        fix: "Sign with the profile of this app, or with its identifier in the entitlements, and "
            + "export again.",
        appleCode: "0xe8008015",
        causes: [.applicationIdentifierNotInProfile],
    )
    fileprivate static let claimDiffers = Rule(
        "entitlement.identifier-differs",
        .warns,
        "The code claims an application identifier other than its own",
        fix: "Sign with application-identifier set to the prefix, a dot and the bundle "
            + "identifier.",
    )
}
